"""The error of a floating-point product: never below what it is against 200 digits, and small where it should be."""

from dataclasses import replace

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from certify.activations import Activations
from certify.attention_layer import Array, AttentionLayer
from certify.chebyshev.perturbation import UNDERFLOW, Perturbed, perturbed
from certify.errors import NoEnclosure
from tests.certify.gram.exact_jacobian import BITS, exact_jacobian, matrix
from tests.certify.gram.test_deflation import small_case
from tests.certify.layers import random_layer
from tests.certify.refusal import refused


def errors(found: Perturbed, layer: AttentionLayer, X: Array, seed: int) -> list[float]:
    """|fl(J^ e) - J e| / |e| for one e, the same for the transpose: to 200 digits."""
    old, ctx.prec = ctx.prec, BITS
    try:
        J = arb_mat(
            [[x for block in row for x in block] for blocks in exact_jacobian(layer, X) for row in _rows(blocks)]
        )
        rng = np.random.default_rng(seed)
        e, g = rng.standard_normal(X.shape), rng.standard_normal((len(X), J.nrows() // len(X)))
        pairs = ((J, e, found.factors.jvp(e)), (J.transpose(), g, found.factors.vjp(g)))
        return [
            float(_norm(M * _column(x) - _column(image)).upper()) / float(_norm(_column(x)).lower())
            for M, x, image in pairs
        ]
    finally:
        ctx.prec = old


def _rows(blocks: list[arb_mat]):
    return list(zip(*(block.tolist() for block in blocks), strict=True))


def _column(x: Array) -> arb_mat:
    return matrix(x.reshape(-1)).transpose()


def _norm(column: arb_mat) -> arb:
    return (column.transpose() * column)[0, 0].sqrt()


def test_never_below_the_error_against_200_digits() -> None:
    for seed in range(120):
        layer, X = small_case(seed)
        found = perturbed(Activations(layer, X))
        assert all(error <= found.error + UNDERFLOW for error in errors(found, layer, X, seed)), seed


def test_a_little_noise_in_a_factor_is_more_than_the_error_of_the_exact_layer() -> None:
    """So the bound is not so wide that nothing could break it."""
    layer = random_layer(0)
    X = np.random.default_rng(0).standard_normal((5, layer.width))
    found = perturbed(Activations(layer, X))
    for name in ("weights", "query", "key", "value", "mean"):
        noisy = replace(found.factors, **{name: getattr(found.factors, name) * (1 + 1e-10)})
        assert max(errors(Perturbed(noisy, found.error), layer, X, 0)) > found.error


def test_too_large() -> None:
    layer = random_layer(0, gain=1e60)
    with refused(NoEnclosure, "the activations overflow or exceed 2^100: no random bound"):
        perturbed(Activations(layer, 1e60 * np.ones((2, layer.width))))


@pytest.mark.parametrize("gain", [0.0, 1.0])
def test_relative_to_the_norm_it_is_near_the_unit_roundoff(gain: float) -> None:
    layer = random_layer(3, gain=gain)
    found = perturbed(Activations(layer, np.random.default_rng(1).standard_normal((6, layer.width))))
    assert 0.0 < found.error <= 2e-11 * gain + 2.0**-400
