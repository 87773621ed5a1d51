"""The ground floor: what is known about a number, and how it may be shown.

Nothing else in the package invents a status. A bound carries one of four words; where nothing can be said there is
a `NoBound` with its reason, never a number.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import Enum
from typing import Literal

Side = Literal["upper", "lower"]


class Guarantee(str, Enum):
    """The four words, strongest first."""

    PROVED = "proved"  # mathematics and rounding covered
    PROBABLE = "probable"  # holds with a stated probability over our own random numbers, rounding covered
    WITNESS = "witness"  # a lower bound proved at one exactly stored point
    ESTIMATE = "estimate"  # floating point only

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Bound:
    """One bound on a Lipschitz constant or Jacobian norm: the exact double, its side and what is guaranteed.

    Raises ValueError for a value that is not a finite nonnegative number, or for an upper bound called a witness:
    those are never bounds, and `conclude` turns them into a `NoBound`.
    """

    value: float
    side: Side
    guarantee: Guarantee
    method: str
    theorem: str | None = None

    def __post_init__(self) -> None:
        if not (0.0 <= self.value < math.inf):
            raise ValueError(f"{self.method}: {self.value} is not a finite nonnegative bound")
        if self.side == "upper" and self.guarantee is Guarantee.WITNESS:
            raise ValueError(f"{self.method}: a witness is a lower bound, never an upper bound")

    def shown(self, digits: int = 5) -> str:
        """Decimal text rounded outward: up for upper bounds, down for lower bounds."""
        return rounded(self.value, digits, self.side)

    def as_json(self) -> dict[str, object]:
        """The shape that every file and `--json` use; `hex` is the exact double."""
        return {
            "value": self.value,
            "hex": self.value.hex(),
            "guarantee": str(self.guarantee),
            "method": self.method,
            "theorem": self.theorem,
        }


@dataclass(frozen=True)
class NoBound:
    """Nothing can be said by this method, and why."""

    side: Side
    method: str
    reason: str

    def as_json(self) -> dict[str, object]:
        return {"value": None, "method": self.method, "reason": self.reason}


def conclude(
    value: float, side: Side, guarantee: Guarantee, method: str, theorem: str | None = None
) -> Bound | NoBound:
    """A `Bound` if the value is a finite nonnegative number, else a `NoBound` that says what came out."""
    if 0.0 <= value < math.inf:
        return Bound(value, side, guarantee, method, theorem)
    return NoBound(side, method, f"the evaluation ended in {value}")


def rounded(value: float, digits: int, side: Side) -> str:
    """Decimal text of `value` to so many significant digits, rounded up for an upper bound and down for a lower one."""
    context = Context(prec=digits, rounding=ROUND_CEILING if side == "upper" else ROUND_FLOOR)
    exact = context.create_decimal(Decimal(value))
    if exact == 0 or -4 <= exact.adjusted() < max(digits, 6):
        return f"{exact:f}"
    return f"{exact:.{digits - 1}e}"
