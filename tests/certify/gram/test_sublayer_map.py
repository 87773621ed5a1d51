"""Sublayers: never below a norm known to 200 digits; blocks against exact rationals; a changed formula is found."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from certify.arithmetic.matrices import BallMatrix
from certify.errors import NoEnclosure
from certify.gram.normed_rows import NormedRows
from certify.gram.sublayer_map import SublayerMap, sublayer_map
from certify.lower.lanczos import witness_of
from certify.sublayer.enclosed import EnclosedSublayer
from certify.sublayer.sublayer import KINDS, Kind, Sublayer, SublayerProducts
from tests.certify.gram.test_blocks import exact, exact_row
from tests.certify.layers import random_layer
from tests.certify.sublayer.exact_sublayer import norm_below
from tests.certify.sublayer.small_cases import TOKENS, deflated_and_dense, random_norm, small_case, upper

Rational = Any  # an array of Fractions


def attack(seed: int, kind: Kind | None = None, word: str | None = None) -> bool:
    """Whether the case was a tight one: never below the norm, and close to it where little cancels."""
    sublayer, X = small_case(seed, kind, word)
    found, other = deflated_and_dense(sublayer, X)
    truth = norm_below(sublayer, X)
    low = witness_of(SublayerProducts(sublayer, X), EnclosedSublayer(sublayer, X).jvp).bound.value
    assert low <= min(upper(found), upper(other))
    assert upper(found) >= truth, (seed, upper(found), truth)
    assert upper(other) >= truth, (seed, upper(other), truth)
    tight = found.converged and found.distance <= 1e-9 * truth
    if tight:
        assert upper(found) <= truth * (1 + 1e-6), (seed, upper(found), truth)
        assert low >= truth * (1 - 1e-6)
    return tight


@pytest.mark.parametrize("word", TOKENS)
@pytest.mark.parametrize("kind", KINDS)
def test_never_below_the_norm_to_200_digits(kind: Kind, word: str) -> None:
    assert sum(attack(seed, kind, word) for seed in range(4)) >= 1


@pytest.mark.slow
def test_two_thousand_small_sublayers() -> None:
    assert sum(attack(seed) for seed in range(10_000, 12_000)) > 500


def rounded(kind: Kind, seed: int) -> SublayerMap:
    rng = np.random.default_rng(seed)
    layer = random_layer(seed, heads=2, k=2, v=2, d=4, output=seed % 2 == 0)
    sublayer = Sublayer(layer, kind, None if kind == "residual" else random_norm(rng, 4))
    return sublayer_map(EnclosedSublayer(sublayer, rng.standard_normal((3, 4))))


def hostile(J: SublayerMap, seed: int) -> SublayerMap:
    """The same shapes with signs, zeros and magnitudes from 2^-60 to 2^20 everywhere."""
    rng = np.random.default_rng(seed)

    def draw(like: np.ndarray) -> np.ndarray:
        values = rng.standard_normal(like.shape) * 2.0 ** rng.integers(-60, 20, like.shape)
        return np.where(rng.random(like.shape) < 0.2, 0.0, values)

    rows, inner = J.inner.rows, J.inner
    names = ("weights", "scaled", "gradient", "diagonal", "values", *(("output",) if rows.output is not None else ()))
    rows = replace(rows, **{name: draw(getattr(rows, name)) for name in names})
    added = inner.added if inner.added is None else draw(inner.added)
    unit = inner.unit if inner.unit is None else draw(inner.unit)
    return SublayerMap(NormedRows(rows, added, unit), J.left if J.left is None else draw(J.left))


def exact_map(J: SublayerMap) -> list[list[Rational]]:
    """M block by block, without rounding."""
    rows, inner, n = J.inner.rows, J.inner, J.tokens
    table = [exact_row(rows, i) for i in range(n)]
    if inner.added is not None and inner.unit is not None:
        w, x = exact(inner.added), exact(inner.unit)
        table = [[table[i][j] + w[i, j][:, None] * x[j] for j in range(n)] for i in range(n)]
    if rows.output is not None:
        table = [[exact(rows.output) @ block for block in row] for row in table]
    for i in range(n):
        table[i][i] = table[i][i] + exact(np.eye(J.output_size))
    return table if J.left is None else [[exact(J.left[i]) @ block for block in table[i]] for i in range(n)]


@pytest.mark.parametrize("magnitudes", ["layer", "hostile"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_block_is_within_its_error(seed: int, kind: Kind, magnitudes: str) -> None:
    J = rounded(kind, seed) if magnitudes == "layer" else hostile(rounded(kind, seed), seed)
    table, others = exact_map(J), np.arange(3)
    for i in range(3):
        blocks, errors = J.gram(i, others)
        for other in range(3):
            G: Rational = sum(a @ b.T for a, b in zip(table[i], table[other], strict=True))
            gap = sum(x * x for x in (exact(blocks[other]) - G).ravel())
            assert gap <= Fraction(errors[other]) ** 2
            if magnitudes == "layer":
                assert errors[other] <= 1e-10 * max(1.0, float(np.abs(blocks).max()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_products_are_those_of_the_doubles(seed: int, kind: Kind) -> None:
    J = rounded(kind, seed)
    rng = np.random.default_rng(seed)
    table = np.array([[block.astype(np.float64) for block in row] for row in exact_map(J)])
    E, G = rng.standard_normal((3, 4, 2)), rng.standard_normal((3, 4, 2))
    forth, back = J.apply(BallMatrix.exact(E)), J.apply_transposed(BallMatrix.exact(G))
    for ball, truth in ((forth, np.einsum("ijab,jbr->iar", table, E)), (back, np.einsum("ijab,iar->jbr", table, G))):
        assert ball.mid == pytest.approx(truth, abs=1e-12)
        assert (np.abs(ball.mid - truth) <= ball.rad + 1e-14).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_map_is_within_its_distance_of_the_jacobian(kind: Kind) -> None:
    """Column by column: the enclosed Jacobian lies near the doubles, and the distance is neither 0 nor large."""
    for seed in range(3):
        J, rng = rounded(kind, seed), np.random.default_rng(seed)
        layer = random_layer(seed, heads=2, k=2, v=2, d=4, output=seed % 2 == 0)
        sublayer = Sublayer(layer, kind, None if kind == "residual" else random_norm(rng, 4))
        enclosed = EnclosedSublayer(sublayer, rng.standard_normal((3, 4)))
        table = np.array([[block.astype(np.float64) for block in row] for row in exact_map(J)])
        for column in range(12):
            e = np.eye(12)[column].reshape(3, 4)
            ball, found = enclosed.jvp(e), np.einsum("ijab,jb->ia", table, e)
            assert (np.abs(ball.mid - found) <= ball.rad + J.distance + 1e-15).all()
        assert 0.0 < J.distance < 1e-10


def mutants(J: SublayerMap) -> dict[str, SublayerMap]:
    """A slip in the formula, each seen as another map."""
    inner, rows = J.inner, J.inner.rows
    found = {
        "weights": replace(J, inner=replace(inner, rows=replace(rows, weights=0.9 * rows.weights))),
        "covariance term": replace(J, inner=replace(inner, rows=replace(rows, diagonal=0.0 * rows.diagonal))),
        "gradient": replace(J, inner=replace(inner, rows=replace(rows, gradient=0.0 * rows.gradient))),
    }
    if inner.added is not None:
        found["along the token"] = replace(J, inner=replace(inner, added=0.0 * inner.added))
        found["sign along the token"] = replace(J, inner=replace(inner, added=-inner.added))
    if J.left is not None:
        found["norm after"] = replace(J, left=np.broadcast_to(np.eye(4), J.left.shape).copy())
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_formula_is_found(kind: Kind) -> None:
    """The comparison of blocks with the exact rationals sees each slip by far more than the error."""
    J = rounded(kind, 0)
    table = exact_map(J)
    for name, mutant in mutants(J).items():
        worst = Fraction(0)
        for i in range(3):
            blocks, errors = mutant.gram(i, np.arange(3))
            for other in range(3):
                G: Rational = sum(a @ b.T for a, b in zip(table[i], table[other], strict=True))
                gap = sum(x * x for x in (exact(blocks[other]) - G).ravel())
                worst = max(worst, gap / Fraction(errors[other]) ** 2)
        assert worst > 10**6, name


def test_an_overflow_is_named() -> None:
    layer = random_layer(0)
    with pytest.raises(NoEnclosure, match=r"^the activations overflow or exceed 2\^100: no Gram blocks$"):
        sublayer_map(EnclosedSublayer(Sublayer(layer, "residual"), 1e180 * np.ones((3, 5))))
    norm = random_norm(np.random.default_rng(0), 5)
    X = 1e200 * np.arange(15.0).reshape(3, 5)
    with pytest.raises(NoEnclosure, match=r"^the mean square of token 0 in the LayerNorm overflows$"):
        sublayer_map(EnclosedSublayer(Sublayer(layer, "pre-norm", norm), X))
    with pytest.raises(NoEnclosure, match=r"^the activations overflow or exceed 2\^100: no Gram blocks$"):
        sublayer_map(EnclosedSublayer(Sublayer(layer, "post-norm", norm), X))
