"""The dense proof: the norm itself, in agreement with deflation, and refused where it is too large."""

import numpy as np
import pytest

from certify.activations import Activations
from certify.attention_layer import JacobianProducts
from certify.errors import NoEnclosure
from certify.gram import dense as module
from certify.gram.attention_map import AttentionMap
from certify.gram.deflation import deflate
from certify.gram.dense import dense
from certify.gram.rounded_rows import rounded_rows
from tests.certify.gram.exact_jacobian import norm_below
from tests.certify.gram.test_deflation import serially, small_case, upper
from tests.certify.layers import random_layer


def test_never_below_the_norm_to_200_digits_and_equal_to_deflation() -> None:
    agreed = 0
    for seed in range(500, 560):
        layer, X = small_case(seed)
        J, products = AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X)
        found, other = dense(J, products, serially), deflate(J, products, serially)
        exact = norm_below(layer, X)
        assert upper(found) >= exact
        if exact > 1e-100 and other.converged and found.distance <= 1e-9 * exact:
            assert upper(found) == pytest.approx(upper(other), rel=1e-6)
            agreed += 1
    assert agreed > 20


def test_a_larger_layer() -> None:
    layer = random_layer(5, heads=3, k=4, v=4, d=12)
    X = np.random.default_rng(3).standard_normal((20, 12))
    J, products = AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X)
    found, other = dense(J, products, serially), deflate(J, products, serially)
    assert upper(found) == pytest.approx(upper(other), rel=1e-8)


def test_too_many_outputs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 10)
    layer, X = random_layer(0), np.ones((4, 5))
    with pytest.raises(NoEnclosure, match="a dense proof of 4 x 5 = 20 outputs: at most 10 are taken"):
        dense(AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X), serially)
