"""A local bound of the literature, |V| sqrt(max_i |A x_i|^2 D^2 (n+1) + n) with D the diameter, is exceeded.

A factor sqrt(3) in front does not save it. The term C_i A is bounded there through |A x_i|, which vanishes for tokens
that A does not read, although C_i A does not.
"""

import numpy as np

from certify.lower.lanczos import witness
from certify.situation import Situation
from tests.traps.one_head import one_head


def test_the_formula_is_exceeded() -> None:
    """Every token is read by a direction in which it does not lie: A x_i = 0, and still the scores move with x_i."""
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    layer = one_head(A=[[0.0, 40.0], [0.0, 0.0]], V=np.eye(2))
    largest = np.linalg.norm(X @ np.array([[0.0, 40.0], [0.0, 0.0]]).T, axis=1).max()
    D, n = 2.0, 2
    claimed = np.sqrt(3.0) * np.sqrt(largest**2 * D**2 * (n + 1) + n)
    attained = witness(Situation(layer, X).activations).bound.value
    assert largest == 0.0
    assert attained > 10 * claimed
