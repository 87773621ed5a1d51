"""The covariance bound at a point: the score term by the triangle inequality, the rest by Cauchy-Schwarz with P."""

import numpy as np

from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix
from ..method import Enclosed, Method
from ..norms import largest_eigenvalue_upper
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    """covariance_term = max_i |V C_i A| and weighted_column = max_j sum_i P_ij lam_i, rounded up.

    |V C_i A|^2 is the largest eigenvalue of S_i (Q Q^T) S_i^T, and
    lam_i of V V^T + |b_i|^2 V C_i V^T, where V C_i V^T = sum_j P_ij u_ij u_ij^T.
    """
    blocks = situation.blocks
    rows, term = blocks.rows, blocks.covariance_term
    squares = largest_eigenvalue_upper(term @ term.T)
    spread = (blocks.weighted_deviation.T @ blocks.deviation) * rows.gradient_square[:, None, None]
    lam = largest_eigenvalue_upper(rows.value_gram[None] + spread)
    column = (rows.weights.T @ BallMatrix.exact(lam[:, None]))[:, 0].upper().max()
    root = float(np.nextafter(np.sqrt(squares.max()), np.inf))
    values = {"covariance_term": Interval.point(root), "weighted_column": Interval.point(float(column))}
    return Enclosed(values, hints={"lam": lam})


METHOD = Method(theorem="local-covariance", domain="point", enclosed=enclosed, costly=True)
