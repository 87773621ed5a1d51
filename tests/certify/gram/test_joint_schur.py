import dataclasses

import numpy as np
import pytest

from certify.activations import Activations
from certify.arithmetic.interval import Interval
from certify.attention_layer import Array, AttentionLayer
from certify.gram.joint_schur import joint_schur, seen_pairs
from certify.gram.rounded_rows import rounded_rows
from tests.certify.layers import causal, dense_jacobian, random_layer


def joint_bound(layer: AttentionLayer, X: Array) -> float:
    rows, seen = rounded_rows(Activations(layer, X)), seen_pairs(layer.visible(len(X)), len(X))
    column = joint_schur(rows, seen, lambda function, tokens: [function(i) for i in tokens]).values["schur_column"]
    assert isinstance(column, Interval)
    return float(np.sqrt(column.upper))


@pytest.mark.parametrize(
    "score_bias", [None, causal(5), np.where(causal(5) == 0, causal(5), -3.0)], ids=["all", "causal", "bias"]
)
@pytest.mark.parametrize("gain", [0.0, 1.0, 6.0])
@pytest.mark.parametrize(("heads", "k", "v", "d"), [(1, 2, 3, 4), (3, 2, 2, 5), (4, 3, 1, 2)])
def test_the_joint_bound_is_never_below_the_jacobian(heads, k, v, d, gain, score_bias) -> None:
    layer = random_layer(7, heads=heads, k=k, v=v, d=d, gain=gain, score_bias=score_bias)
    for seed in range(3):
        X = np.random.default_rng(seed).standard_normal((5, d)) * (1 + 4 * seed)
        exact = np.linalg.norm(dense_jacobian(layer, X), 2)
        bound = joint_bound(layer, X)
        assert exact <= bound * (1 + 1e-9) + 1e-300
        if seed == 0 and gain == 1.0:
            assert bound <= 3.5 * exact


def test_heads_that_cancel_are_seen_to_cancel() -> None:
    """Two equal heads with opposite output slices: the map is constant, head by head it is not."""
    one = random_layer(9, heads=1)
    assert one.output_weight is not None
    twice = {
        f"{part}_{kind}": np.concatenate([getattr(one, f"{part}_{kind}")] * 2)
        for part in ("query", "key", "value")
        for kind in ("weight", "bias")
    }
    opposite = np.concatenate([one.output_weight, -one.output_weight], axis=1)
    layer = dataclasses.replace(one, **twice, output_weight=opposite)
    X = np.random.default_rng(1).standard_normal((4, one.width))
    assert joint_bound(layer, X) < 1e-6
