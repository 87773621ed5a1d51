"""A region of token counts and of rho, cut into cells until the ratio is small enough on every one or a budget spent.

The cells that come back are again the whole region: a cut leaves no integer and no rho between its two parts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import exp, isqrt, log

from ..errors import NoEnclosure
from .cells import Cell, SettledCell, settle

Settler = Callable[[Cell, Fraction], SettledCell]

BUDGET = 20_000
_NARROWEST = Fraction(1, 2**16)  # of rho: a cell of one count that is no wider stays open
_WIDEST = Fraction(1, 4)  # of rho, before an end of the token counts is chosen
_MANY = 60  # times exp(2 rho): from there on one head with shares in place of counts serves all n


@dataclass(frozen=True)
class Cover:
    """Cells with ratio <= target that fill the region, except for the open ones, on which nothing is proved."""

    region: Cell
    target: Fraction
    settled: tuple[SettledCell, ...]
    open: tuple[Cell, ...]

    @property
    def proved(self) -> bool:
        """Whether the ratio is at most the target on the whole region."""
        return bool(self.settled) and not self.open and all(cell.ratio <= self.target for cell in self.settled)

    @property
    def worst(self) -> SettledCell:
        """The settled cell with the largest ratio."""
        return max(self.settled, key=lambda cell: cell.ratio)


def cover(
    region: Cell,
    target: Fraction,
    budget: int = BUDGET,
    settler: Settler = settle,
) -> Cover:
    """Cuts the region until every cell has a ratio of at most `target`, and looks at no more than `budget` cells.

    Stops early at a cell too narrow to be cut, which stays open with all that was still to be looked at.
    """
    waiting, settled, given_up = [region], list[SettledCell](), list[Cell]()
    for _ in range(budget):
        if not waiting or given_up:
            break
        cell = waiting.pop()
        found = None if _too_wide(cell) else _settled(cell, target, settler)
        if found is not None and found.ratio <= target:
            settled.append(found)
        elif _narrow(cell):
            given_up.append(cell)
        else:
            waiting += reversed(halves(cell))
    return Cover(region, target, tuple(settled), (*given_up, *waiting))


def halves(cell: Cell) -> tuple[Cell, Cell]:
    """The cell cut in two along the side that seems to matter more."""
    fewest, most = cell.counts
    if cell.largest_rho is None:
        if most is not None and fewest < most:
            return _cut_counts(cell, isqrt(fewest * most))
        return Cell(cell.counts, cell.least_rho, 2 * cell.least_rho), Cell(cell.counts, 2 * cell.least_rho, None)
    enough = _enough_tokens(cell.largest_rho)
    if fewest < enough and (most is None or most > enough) and cell.largest_rho - cell.least_rho <= _WIDEST:
        return _cut_counts(cell, enough)
    if most is not None and fewest < most <= enough:
        weight = log(most / fewest) / 2  # the bounds grow like sqrt(n) at most
        if weight > _weight_of_rho(cell.least_rho, cell.largest_rho, most):
            return _cut_counts(cell, isqrt(fewest * most))
    middle = (cell.least_rho + cell.largest_rho) / 2
    return Cell(cell.counts, cell.least_rho, middle), Cell(cell.counts, middle, cell.largest_rho)


def _cut_counts(cell: Cell, last: int) -> tuple[Cell, Cell]:
    fewest, most = cell.counts
    return (
        Cell((fewest, last), cell.least_rho, cell.largest_rho),
        Cell((last + 1, most), cell.least_rho, cell.largest_rho),
    )


def _too_wide(cell: Cell) -> bool:
    if cell.counts[1] is not None or cell.largest_rho is None:
        return False
    return cell.largest_rho - cell.least_rho > _WIDEST


def _narrow(cell: Cell) -> bool:
    if cell.largest_rho is None or cell.largest_rho - cell.least_rho > _NARROWEST:
        return False
    return cell.counts[0] == cell.counts[1] or cell.counts[0] >= _enough_tokens(cell.largest_rho)


def _enough_tokens(largest_rho: Fraction) -> int:
    return int(_MANY * exp(2 * largest_rho)) + 1


def _weight_of_rho(least: Fraction, largest: Fraction, most: int) -> float:
    """About by how much the bounds change from one end of rho to the other, as a logarithm."""
    steep = 1.0 if log(most) > 2 * float(least) - 2 else 0.0
    return float(largest - least) * (steep + 1 / max(float(least), 1.0))


def _settled(cell: Cell, target: Fraction, settler: Settler) -> SettledCell | None:
    try:
        return settler(cell, target)
    except NoEnclosure:
        return None
