"""A rectangle of token counts and of rho: what is proved on all of it, above and below.

L(n, rho) grows with rho, for the class of heads grows. So on a cell the closed forms are taken at its largest rho and
the heads at its least; only the token counts are intervals. On a cell without a largest rho both are taken over rho:
the form for few tokens over rho falls in rho where rho >= 1/2, for kappa / rho^2 does; the others are not used there.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

import bounds
from bounds.notation import R, n, norm_A, norm_a, norm_V

from ..arithmetic.interval import Interval
from ..enclose import enclose
from ..errors import NoEnclosure
from .choice import best_head
from .witness import Counts, NoScores, Witness

FEW = "compact-softmax-few-tokens"
UPPER = ("compact-softmax", FEW, "compact-softmax-many-tokens")


@dataclass(frozen=True)
class Cell:
    """All integers n of the range with all real rho between the two; None for no end."""

    counts: Counts
    least_rho: Fraction
    largest_rho: Fraction | None

    @property
    def middle_count(self) -> float:
        """About the geometric mean of the counts."""
        fewest, most = self.counts
        return float("inf") if most is None else (fewest * most) ** 0.5


@dataclass(frozen=True)
class SettledCell:
    """lower <= L(n, rho) <= upper on the whole cell, or for L(n, rho) / rho on a cell without a largest rho.

    So the closed form of `theorem` is within upper / lower of the best constant.

    Raises ValueError for a lower bound above the upper one: then one of the two is wrong.
    """

    cell: Cell
    upper: Fraction
    lower: Fraction
    theorem: str
    witness: Witness

    def __post_init__(self) -> None:
        if not 0 < self.lower <= self.upper:
            raise ValueError(
                f"{self.theorem} gives {float(self.upper)} on {self.cell}, below {float(self.lower)} of a head"
            )

    @property
    def ratio(self) -> Fraction:
        return self.upper / self.lower


def settle(cell: Cell, target: Fraction) -> SettledCell:
    """Both bounds on a cell.

    Raises NoEnclosure where one of them is not had, or the head found seems too weak for a ratio of `target` (an
    estimate, which saves the enclosure); a smaller cell mends both.
    """
    beyond = cell.largest_rho is None
    upper, theorem = _upper_beyond(cell) if cell.largest_rho is None else _upper(cell.counts, cell.largest_rho)
    if cell.least_rho == 0:
        return SettledCell(cell, upper, Fraction(1), theorem, NoScores())
    fewest, most = cell.counts
    found = best_head(cell.middle_count, float(cell.least_rho), exact_count=fewest == most)
    scale = 1 if beyond else cell.least_rho
    if upper * cell.least_rho > target * Fraction(found.value) * scale:
        raise NoEnclosure(f"the head found for {cell} seems too weak for {target}")
    lower = found.witness.least(cell.counts, cell.least_rho, beyond) * scale
    if not lower > 0:
        raise NoEnclosure(f"the head proves nothing on {cell}")
    return SettledCell(cell, upper, lower, theorem, found.witness)


def _upper(counts: Counts, rho: Fraction) -> tuple[Fraction, str]:
    """The least closed form at the largest rho, for all counts, and its name."""
    return min(
        (Fraction(enclose(form, _values(counts, rho)).upper), theorem_id)
        for theorem_id, form in _forms().items()
        if counts[1] is not None or not form.has(n)
    )


def _upper_beyond(cell: Cell) -> tuple[Fraction, str]:
    """The closed form for few tokens over rho, at the least rho."""
    if cell.least_rho < Fraction(1, 2) or cell.counts[1] is None:
        raise NoEnclosure(f"no closed form over rho is known to fall on {cell}")
    return Fraction(enclose(_forms()[FEW], _values(cell.counts, cell.least_rho)).upper) / cell.least_rho, FEW


def _values(counts: Counts, rho: Fraction) -> dict[Any, Any]:
    fewest, most = counts
    if most is None:
        return {norm_A: rho}
    return {norm_A: rho, n: fewest if fewest == most else Interval(float(fewest), float(most))}


@cache
def _forms() -> dict[str, sp.Expr]:
    """The closed forms on the unit ball, with |V| = 1 and without query bias."""
    values: dict[Any, Any] = {R: 1, norm_a: 0, norm_V: 1}
    return {theorem_id: bounds.theorem(theorem_id).expr.subs(values) for theorem_id in UPPER}
