"""The covariance bound at a point: the score term by the triangle inequality, the rest by Cauchy-Schwarz with P."""

from collections.abc import Mapping

import numpy as np

from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix
from ..norms import largest_eigenvalue_upper
from ..situation import Situation
from ..method import Method


def inputs(situation: Situation) -> Mapping[str, Interval]:
    """covariance_term = max_i |V C_i A| and weighted_column = max_j sum_i P_ij lam_i, rounded up.

    |V C_i A|^2 is the largest eigenvalue of S_i (Q Q^T) S_i^T, and
    lam_i of V V^T + |b_i|^2 V C_i V^T, where V C_i V^T = sum_j P_ij u_ij u_ij^T.
    """
    blocks = situation.blocks
    term = blocks.covariance_term
    squares = largest_eigenvalue_upper(term @ term.T)
    weighted = blocks.deviation * blocks.P[..., None]
    spread = (weighted.T @ blocks.deviation) * blocks.gradient_square[:, None, None]
    lam = largest_eigenvalue_upper(blocks.value_gram[None] + spread)
    column = (blocks.P.T @ BallMatrix.exact(lam[:, None]))[:, 0].upper().max()
    root = float(np.nextafter(np.sqrt(squares.max()), np.inf))
    return {"covariance_term": Interval.point(root), "weighted_column": Interval.point(float(column))}


METHOD = Method(theorem="local-covariance", domain="point", inputs=inputs)
