"""Every enclosure of an activation against the same number at 200 digits, written a second time."""

from typing import Any

import mpmath
import numpy as np
import pytest

from certify.activations import Activations
from certify.arithmetic.matrices import BallMatrix
from certify.attention_layer import Array, AttentionLayer
from tests.certify.layers import causal, random_layer

CASES = [
    pytest.param({"heads": 2}, 4, 1.0, id="plain"),
    pytest.param({"heads": 1, "gain": 6.0}, 4, 3.0, id="saturated"),
    pytest.param({"heads": 2, "score_bias": causal(4)}, 4, 1.0, id="causal"),
    pytest.param({"heads": 1, "d": 1, "k": 1, "v": 1}, 3, 1.0, id="one dimension"),
    pytest.param({"heads": 1}, 1, 1.0, id="one token"),
    pytest.param({"heads": 1, "gain": 1e-3}, 3, 1e3, id="tiny weights, huge tokens"),
]


def matrix(array: Array) -> Any:
    return mpmath.matrix([[mpmath.mpf(float(x)) for x in row] for row in np.atleast_2d(array)])


class Exact:
    """One head at 200 digits, from the definition: softmax(scale (X Q^T + b)(X K^T + b)^T + c), V x."""

    def __init__(self, layer: AttentionLayer, X: Array, E: Array, h: int) -> None:
        n = len(X)
        x, e = matrix(X), matrix(E)
        Q, K, V = (matrix(w[h]) for w in (layer.query_weight, layer.key_weight, layer.value_weight))
        ones = mpmath.ones(n, 1)
        scale = mpmath.sqrt(mpmath.mpf(layer.scale_squared.numerator) / layer.scale_squared.denominator)
        q = x * Q.T + ones * matrix(layer.query_bias[h])
        k = x * K.T + ones * matrix(layer.key_bias[h])
        v = x * V.T + ones * matrix(layer.value_bias[h])
        s = scale * q * k.T
        ds = scale * (e * Q.T * k.T + q * (e * K.T).T)
        self.P = mpmath.zeros(n, n)
        dP = mpmath.zeros(n, n)
        for i in range(n):
            seen = [j for j in range(n) if layer.score_bias is None or np.isfinite(layer.score_bias[i, j])]
            total = mpmath.fsum(mpmath.exp(s[i, j]) for j in seen)
            for j in seen:
                self.P[i, j] = mpmath.exp(s[i, j]) / total
            mean = mpmath.fsum(self.P[i, j] * ds[i, j] for j in seen)
            for j in seen:
                dP[i, j] = self.P[i, j] * (ds[i, j] - mean)
        self.gradient = scale * q * K
        self.tangent = dP * v + self.P * (e * V.T)


def assert_encloses(ball: BallMatrix, exact: Any, tightness: float) -> None:
    """Every entry is inside, and the radius is small beside the largest entry."""
    largest = max([abs(x) for x in exact] + [mpmath.mpf(1e-300)])
    for index in np.ndindex(ball.shape):
        assert abs(mpmath.mpf(float(ball.mid[index])) - exact[index]) <= mpmath.mpf(float(ball.rad[index]))
        assert ball.rad[index] <= tightness * largest


@pytest.mark.parametrize(("options", "n", "size"), CASES)
def test_weights_gradients_and_jacobian_products_are_enclosed(options, n, size) -> None:
    layer = random_layer(11, **options)
    rng = np.random.default_rng(5)
    X, E = size * rng.standard_normal((2, n, layer.width))
    activations = Activations(layer, X)
    for h in range(layer.heads):
        head = Activations(layer.head(h), X)
        with mpmath.workdps(200):
            exact = Exact(layer, X, E, h)
            assert_encloses(activations.weights[h], exact.P, 1e-9)
            assert_encloses(activations.gradient[h], exact.gradient, 1e-12)
            assert_encloses(head.jvp(E), exact.tangent, 1e-9)


def test_the_output_projection_is_enclosed_too() -> None:
    layer = random_layer(12, heads=3, v=2, d=4)
    rng = np.random.default_rng(6)
    X, E = rng.standard_normal((2, 5, 4))
    assert layer.output_weight is not None
    with mpmath.workdps(200):
        parts = [Exact(layer, X, E, h).tangent * matrix(layer.output_weight[:, h]).T for h in range(3)]
        assert_encloses(Activations(layer, X).jvp(E), parts[0] + parts[1] + parts[2], 1e-12)


def test_a_row_that_sees_nothing_is_zero() -> None:
    mask = np.zeros((3, 3))
    mask[1] = -np.inf
    layer = random_layer(3, heads=1, output=False, score_bias=mask)
    X = np.random.default_rng(0).standard_normal((3, layer.width))
    image = Activations(layer, X).jvp(X)
    assert not image.mid[1].any()
    assert image.rad[1].max() < 1e-300  # room for results that BLAS might flush to zero
