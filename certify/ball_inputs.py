"""The symbols of the theorems on a ball: token count, radius, and the norms of A, a and V."""

from collections.abc import Mapping

from .arithmetic.interval import Interval
from .situation import Situation


def ball_inputs(situation: Situation) -> Mapping[str, int | Interval]:
    """n, R (the largest token norm of the input, rounded up), norm_A, norm_a, norm_V."""
    norms = situation.norms
    return {
        "n": len(situation.X),
        "R": Interval.point(situation.radius.upper),
        "norm_A": norms.A,
        "norm_a": norms.a,
        "norm_V": norms.V,
    }
