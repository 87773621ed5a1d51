"""On the unit ball |V| sqrt(n) is no bound for every A: scores steep in x_i exceed it."""

import numpy as np

from certify.lower.lanczos import witness
from certify.situation import Situation
from tests.traps.one_head import one_head


def test_steep_scores_exceed_the_root_of_n() -> None:
    X = np.array([[1.0, 0.0], [-1.0, 0.0]] * 4)
    layer = one_head(A=[[0.0, 10.0], [0.0, 0.0]], V=np.eye(2))
    assert witness(Situation(layer, X).activations).bound.value > 3 * np.sqrt(len(X))
