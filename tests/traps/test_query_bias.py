"""The key bias drops out of the softmax, the query bias does not: a compact bound without it is exceeded."""

from dataclasses import replace

import numpy as np

import bounds
from certify.head_norms import HeadNorms
from certify.lower.lanczos import witness
from certify.situation import Situation
from tests.traps.one_head import one_head

n = 270
X = np.array([[1.0]] + [[-1.0]] * (n - 1))
LAYER = one_head(A=[[0.0]], V=[[1.0]], a=[3.0])


def claimed(norm_a: float) -> float:
    return float(bounds.theorem("compact-softmax").evaluate(n=n, R=1, norm_A=0, norm_V=1, norm_a=norm_a))


def test_without_the_query_bias_the_theorem_is_false() -> None:
    attained = witness(Situation(LAYER, X).activations).bound.value
    assert attained > 10 * claimed(norm_a=0)
    assert attained <= claimed(norm_a=3)


def test_our_norms_carry_it() -> None:
    assert HeadNorms(LAYER, None).a.upper >= 3.0
    race = next(d for d in _candidates() if d.theorem == "compact-softmax")
    assert race.bound.value >= claimed(norm_a=3)  # type: ignore[union-attr]


def test_the_key_bias_changes_nothing() -> None:
    moved = replace(LAYER, key_bias=np.array([[7.0]]))
    found = [witness(Situation(layer, X).activations).bound.value for layer in (LAYER, moved)]
    assert found[0] == found[1]


def _candidates():
    from certify.race import race_head

    return race_head(LAYER, 0, X, None, "fast").candidates
