"""A closed interval with double end points: how enclosures travel between engines, theorems and files."""

import math
from dataclasses import dataclass

from ..errors import NoEnclosure


@dataclass(frozen=True)
class Interval:
    """All reals between two finite doubles, both exact and both included."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not (-math.inf < self.lower <= self.upper < math.inf):
            raise NoEnclosure(f"[{self.lower}, {self.upper}] is no enclosure: overflow or nan carries no information")

    @classmethod
    def point(cls, value: float) -> "Interval":
        return cls(value, value)
