"""A temperature s < 1 on the scores multiplies the score term only: s times the whole bound is exceeded."""

from fractions import Fraction

import numpy as np

import bounds
from certify.lower.lanczos import witness
from certify.situation import Situation
from tests.traps.one_head import one_head

n = 8
X = np.zeros((n, 2))
X[:, 0] = 1.0


def test_scaling_the_whole_bound_is_false() -> None:
    """Equal tokens moved together lose nothing to the average, whatever the temperature."""
    s = Fraction(1, 100)
    whole = float(bounds.theorem("compact-softmax").evaluate(n=n, R=1, norm_A=1, norm_V=1, norm_a=0))
    layer = one_head(A=np.eye(2), V=np.eye(2), scale_squared=s * s)
    attained = witness(Situation(layer, X).activations).bound.value
    assert attained > float(s) * whole
    ours = float(bounds.theorem("compact-softmax").evaluate(n=n, R=1, norm_A=s, norm_V=1, norm_a=0))
    assert attained <= ours
