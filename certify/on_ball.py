"""The symbols of the theorems on a ball: token count, radius, and the norms of A, a and V."""

from .arithmetic.interval import Interval
from .method import Enclosed
from .situation import Situation


def on_ball(situation: Situation) -> Enclosed:
    """n, R (the largest token norm of the input, rounded up), norm_A, norm_a, norm_V."""
    norms = situation.norms
    return Enclosed(
        {
            "n": len(situation.X),
            "R": Interval.point(situation.radius),
            "norm_A": norms.A,
            "norm_a": norms.a,
            "norm_V": norms.V,
        }
    )
