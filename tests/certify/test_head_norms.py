"""Norms of A, a, V and their images under a LayerNorm against dense matrices at high precision."""

from typing import Any

import mpmath
import numpy as np
import pytest

from certify.arithmetic.interval import Interval
from certify.domains import LayerNormImage
from certify.head_norms import HeadNorms
from tests.certify.layers import random_layer


def largest_singular_value(rows: Any) -> Any:
    return max(mpmath.svd_r(rows, compute_uv=False))


@pytest.mark.parametrize(("k", "d", "gain"), [(2, 4, 1.0), (3, 3, 1e-8), (1, 5, 1e6), (4, 2, 1.0), (2, 3, 0.0)])
def test_every_norm_is_enclosed_and_sharp(k, d, gain) -> None:
    layer = random_layer(3, heads=1, k=k, v=2, d=d, gain=gain, output=False)
    rng = np.random.default_rng(0)
    gamma, beta = rng.standard_normal((2, d))
    norms = HeadNorms(layer, LayerNormImage(gamma, beta, 1e-12))
    with mpmath.workdps(60):
        Q, K, V = (mpmath.matrix(getattr(layer, f"{m}_weight")[0].tolist()) for m in ("query", "key", "value"))
        b_Q = mpmath.matrix(layer.query_bias[0].tolist())
        G = mpmath.diag(gamma.tolist())
        Pi = mpmath.eye(d) - mpmath.ones(d, d) / d
        scale = 1 / mpmath.sqrt(k)
        A, a = scale * K.T * Q, scale * K.T * b_Q
        c = A * mpmath.matrix(beta.tolist()) + a
        expected = {
            "A": A,
            "a": a,
            "V": V,
            "V_through": V * G * Pi,
            "A_left": Pi * G * A,
            "A_right": A * G * Pi,
            "A_both": Pi * G * A * G * Pi,
            "shift": c,
            "shift_through": Pi * G * c,
        }
        for name, matrix in expected.items():
            exact, got = largest_singular_value(matrix), getattr(norms, name)
            assert isinstance(got, Interval)
            assert got.lower <= exact <= got.upper, name
            # relative to the factors: |K^T Q| may be small by cancellation
            size = largest_singular_value(K) * largest_singular_value(Q) + exact
            assert got.upper - got.lower <= 1e-7 * size + 1e-150, name  # the root of what might be flushed to zero


def test_norms_through_a_layernorm_need_one() -> None:
    with pytest.raises(ValueError, match="this head has no LayerNorm before it"):
        _ = HeadNorms(random_layer(0, heads=1)).A_both
