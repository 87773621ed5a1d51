"""Softmax is 1/2-Lipschitz in l2 (not 1/4): two entries that share the weight attain it."""

import numpy as np

from certify.situation import Situation
from certify.upper.local_softmax_jacobian import METHOD
from tests.traps.one_head import one_head


def test_a_quarter_is_exceeded() -> None:
    p = np.array([0.5, 0.5])
    jacobian = np.diag(p) - np.outer(p, p)
    assert np.linalg.norm(jacobian, 2) == 0.5


def test_our_sensitivity_covers_it() -> None:
    """g(P) = p1 (1 - p1 + p2), at two equal weights, is 1/2 and no less."""
    situation = Situation(one_head(A=[[0.0]], V=[[1.0]]), np.array([[1.0], [-1.0]]))
    assert METHOD.enclosed(situation).values["softmax_sensitivity"].upper >= 0.5  # type: ignore[union-attr]
