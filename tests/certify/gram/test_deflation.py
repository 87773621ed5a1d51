"""Deflation: never below a norm known to 200 digits, that norm itself where it converged, sound for any directions."""

import numpy as np
import pytest

from bounds import theorem
from certify.activations import Activations
from certify.arithmetic.interval import Interval
from certify.attention_layer import Array, AttentionLayer, JacobianProducts
from certify.enclose import enclose
from certify.gram.attention_map import AttentionMap
from certify.gram.deflation import Deflated, deflate, deflated
from certify.gram.directions import leading_outputs
from certify.gram.rounded_rows import rounded_rows
from tests.certify.gram.exact_jacobian import norm_below
from tests.certify.layers import causal, dense_jacobian, random_layer

EXPRESSION = theorem("local-deflation").expr
SYMBOLS = {str(symbol): symbol for symbol in theorem("local-deflation").symbols}


def serially(function, tokens):
    return [function(i) for i in tokens]


def upper(found: Deflated) -> float:
    values = found.enclosed().values
    environment = {SYMBOLS[name]: value for name, value in values.items() if isinstance(value, Interval)}
    return enclose(EXPRESSION, environment).upper


def bound(layer: AttentionLayer, X: Array) -> tuple[float, Deflated]:
    found = deflate(AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X), serially)
    return upper(found), found


def small_case(seed: int) -> tuple[AttentionLayer, Array]:
    """Layers of n d <= 64: plain, masked, saturated, duplicated, huge, tiny, one token, zero weights."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 7)), int(rng.integers(1, 7))
    heads, k, v = (int(rng.integers(1, 4)) for _ in range(3))
    gain = float(rng.choice([0.0, 1e-8, 0.3, 1.0, 3.0, 30.0]))
    mask = causal(n) if rng.random() < 0.3 else None
    output = bool(rng.random() < 0.7)
    layer = random_layer(seed, heads=heads, k=k, v=v, d=d, gain=gain, output=output, score_bias=mask)
    X = rng.standard_normal((n, d)) * float(rng.choice([0.0, 1e-6, 1.0, 10.0, 1e3]))
    kind = rng.integers(4)
    if kind == 1:
        X[:] = X[0]  # duplicates
    elif kind == 2:
        X = np.sign(X) * np.abs(X).max(initial=0.0)  # antipodal corners
    elif kind == 3:
        X[1:] = -X[0]  # two clusters
    return layer, X


def attack(seeds: range) -> None:
    converged = 0
    for seed in seeds:
        layer, X = small_case(seed)
        value, found = bound(layer, X)
        exact = norm_below(layer, X)
        assert value >= exact, (seed, value, exact)
        if found.converged and found.distance <= 1e-6 * exact:  # saturated activations cancel and lose more
            assert value <= exact * (1 + 1e-6 + 2 * found.distance / exact), (seed, value, exact, found)
            converged += 1
    assert converged > len(seeds) / 3


def test_never_below_the_norm_to_200_digits() -> None:
    attack(range(120))


@pytest.mark.slow
def test_ten_thousand_small_layers() -> None:
    attack(range(10_000, 20_000))


def test_any_directions_and_eigenvalues_prove_a_bound() -> None:
    """Wrong ones only make it looser."""
    layer = random_layer(1)
    rng = np.random.default_rng(2)
    X = rng.standard_normal((4, layer.width))
    exact = norm_below(layer, X)
    rows, products = AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X)
    theta, U = leading_outputs(products, 3)
    good = upper(deflated(rows, theta, U, serially))
    assert exact <= good <= exact * 1.3
    wrong = np.linalg.qr(rng.standard_normal((U[..., 0].size, 3)))[0].reshape(U.shape)
    for values, vectors in ((theta, wrong), (0 * theta, U), (100 * theta, U), (theta[:0], U[..., :0]), (theta, -U)):
        assert upper(deflated(rows, values, vectors, serially)) >= exact
    slanted = U + 1e-3 * rng.standard_normal(U.shape)
    assert upper(deflated(rows, theta, slanted, serially)) >= exact


def test_every_number_counts() -> None:
    """Each of the four lowered a little goes below the norm: no slack hides a mistake."""
    layer = random_layer(1)
    X = np.random.default_rng(2).standard_normal((4, layer.width))
    rows, products = AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X)
    exact = norm_below(layer, X)
    found = deflate(rows, products, serially)
    low = Deflated(found.top * (1 - 1e-6), 0.0, found.remainder, found.distance, found.count)
    assert upper(low) < exact
    none = deflated(rows, *leading_outputs(products, 0), serially)
    assert upper(Deflated(0.0, 0.0, none.remainder / 3, 0.0, 0)) < exact


def test_a_larger_layer_agrees_with_its_dense_norm() -> None:
    layer = random_layer(5, heads=3, k=4, v=4, d=12)
    X = np.random.default_rng(3).standard_normal((20, 12))
    value, found = bound(layer, X)
    exact = np.linalg.norm(dense_jacobian(layer, X), 2)
    assert found.converged
    assert exact * (1 - 1e-12) <= value <= exact * (1 + 1e-8)
