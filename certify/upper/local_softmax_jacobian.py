"""Yudin's local bound: the spectral norm of the attention weights, and the norm of the softmax Jacobian row by row."""

import numpy as np

from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix
from ..method import Enclosed, Method
from ..norms import spectral_norm
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    """norm_P, norm_X, norm_B (rows b_i) at the point, and softmax_sensitivity = max_i p_(1) (1 - p_(1) + p_(2))."""
    activations = situation.activations
    P = activations.weights[0]
    return Enclosed(
        {
            "norm_A": situation.norms.A,
            "norm_V": situation.norms.V,
            "norm_P": spectral_norm(P),
            "norm_X": spectral_norm(activations.tokens),
            "norm_B": spectral_norm(activations.gradient[0]),
            "softmax_sensitivity": Interval.point(softmax_sensitivity(P)),
        }
    )


def softmax_sensitivity(P: BallMatrix) -> float:
    """An upper bound, rounded up, of max_i p_(1) (1 - p_(1) + p_(2)), p_(1) >= p_(2) the two largest weights of row i.

    1 - p_(1) is summed from the other entries: the subtraction would cancel where the softmax saturates. For weights
    p <= P entry by entry, with m and s the two largest entries of P, m (rest + s) is monotone in every entry.
    """
    weights = P.upper()
    if weights.shape[1] == 1:
        return 0.0
    rows = np.arange(len(weights))
    largest = weights.argmax(1)
    others = weights.copy()
    others[rows, largest] = 0.0
    rest = BallMatrix.exact(others).sum(1) + BallMatrix.exact(others.max(1))
    return float((BallMatrix.exact(weights[rows, largest]) * rest).upper().max())


METHOD = Method(theorem="local-softmax-jacobian", domain="point", enclosed=enclosed)
