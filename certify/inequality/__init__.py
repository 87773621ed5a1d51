"""Proves that a scalar expression is nonnegative on a whole box, unbounded ones included; nothing is sampled."""

from .axis import Axis, Inverse, Segment
from .branch import Proved, Refuted, Undecided, Verdict, decide
from .claim import Claim, ClaimError
from .half_line import HalfLine

__all__ = [
    "Axis",
    "Claim",
    "ClaimError",
    "HalfLine",
    "Inverse",
    "Proved",
    "Refuted",
    "Segment",
    "Undecided",
    "Verdict",
    "decide",
]
