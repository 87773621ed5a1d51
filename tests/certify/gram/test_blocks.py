"""Gram blocks against exact rationals: the error bound holds for every pair, hostile magnitudes included."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from certify.activations import Activations
from certify.gram.blocks import GramBlocks
from certify.gram.joint_schur import row_eigenvalue
from certify.gram.rounded_rows import RoundedRows, rounded_rows
from tests.certify.layers import random_layer

Rational = Any  # an array of Fractions


def exact(values: np.ndarray) -> Rational:
    return np.vectorize(Fraction, otypes=[object])(values)


def exact_row(rows: RoundedRows, i: int) -> list[Rational]:
    """T^_ij for every j, without rounding."""
    v = rows.value_size
    V, b, z = exact(rows.values), exact(rows.gradient[i]).repeat(v, 0), exact(rows.scaled[i])
    P = exact(rows.weights[i]).repeat(v, 0)
    row = [V * P[:, j, None] + z[j][:, None] * b for j in range(rows.tokens)]
    row[i] = row[i] + exact(rows.diagonal[i])
    return row


def hostile(rows: RoundedRows, seed: int) -> RoundedRows:
    """The same shapes with signs, zeros and magnitudes from 2^-60 to 2^20 everywhere."""
    rng = np.random.default_rng(seed)

    def draw(like: np.ndarray) -> np.ndarray:
        values = rng.standard_normal(like.shape) * 2.0 ** rng.integers(-60, 20, like.shape)
        return np.where(rng.random(like.shape) < 0.2, 0.0, values)

    names = ("weights", "scaled", "gradient", "diagonal", "values", "output")
    return replace(rows, **{name: draw(getattr(rows, name)) for name in names})


def small_rows(seed: int, kind: str) -> RoundedRows:
    layer = random_layer(seed, heads=2, k=2, v=2, d=3)
    rows = rounded_rows(Activations(layer, np.random.default_rng(seed).standard_normal((3, 3))))
    return hostile(rows, seed) if kind == "hostile" else rows


@pytest.mark.parametrize("kind", ["layer", "hostile"])
@pytest.mark.parametrize("seed", range(6))
def test_every_block_is_within_its_error(seed: int, kind: str) -> None:
    rows = small_rows(seed, kind)
    assert rows.output is not None
    W, blocks, others = exact(rows.output), GramBlocks(rows), np.arange(3)
    table = [exact_row(rows, i) for i in range(3)]
    for i in range(3):
        inner, inner_error = blocks.inner(i, others)
        outer, outer_error = blocks.outer(i, others)
        for other in range(3):
            K = sum(a @ b.T for a, b in zip(table[i], table[other], strict=True))
            for found, error, true in ((inner, inner_error, K), (outer, outer_error, W @ K @ W.T)):
                gap = sum(x * x for x in (exact(found[other]) - true).ravel())
                assert gap <= Fraction(error[other]) ** 2
                assert error[other] <= 1e-9 * (rows.output_norm**2 + 1) * rows.row_sizes[i] * rows.row_sizes[other]


@pytest.mark.parametrize("kind", ["layer", "hostile"])
@pytest.mark.parametrize("seed", range(6))
def test_a_weighted_row_is_never_below_its_exact_quotients(seed: int, kind: str) -> None:
    rows = small_rows(seed, kind)
    assert rows.output is not None
    rng = np.random.default_rng(seed)
    r = np.exp(rng.standard_normal(3))
    W, row = exact(rows.output), exact_row(rows, 1)
    K: Rational = sum(
        (Fraction(w) ** 2 * (W @ block) @ (W @ block).T for w, block in zip(r, row, strict=True)), 0 * W @ W.T
    )
    lam = Fraction(row_eigenvalue(rows, 1, r))
    vectors = np.linalg.eigh(K.astype(np.float64))[1].T
    for u in (*vectors, *rng.standard_normal((4, 3))):
        x = exact(u)
        assert x @ K @ x <= lam * (x @ x)
    if kind == "layer":  # hostile magnitudes may cancel altogether
        assert lam <= Fraction(1.2) * Fraction(max(np.linalg.eigvalsh(K.astype(np.float64))))
