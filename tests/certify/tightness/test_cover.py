"""Covers: they fill their region, prove what is true, and notice bounds that are off."""

from dataclasses import replace
from fractions import Fraction

import pytest

import bounds
from certify.errors import NoEnclosure
from certify.tightness import Cell, SettledCell, cover, settle
from certify.tightness.cover import halves
from certify.tightness.families import TWO_PLACES

REGIONS = [
    Cell((3, 3), Fraction(1), Fraction(4)),
    Cell((4, 9), Fraction(0), Fraction(1, 4)),
    Cell((1000, 3000), Fraction(4), Fraction(6)),
    Cell((1000, None), Fraction(1), Fraction(2)),
    Cell((3, 10**9), Fraction(50), None),
]


@pytest.mark.parametrize("region", REGIONS, ids=str)
def test_a_region_is_proved_and_filled(region: Cell) -> None:
    found = cover(region, Fraction(3, 2))
    assert found.proved
    assert found.worst.ratio <= Fraction(3, 2)
    cells = [settled.cell for settled in found.settled]
    assert filled(region, cells)
    assert len(cells) == 1 or not filled(region, cells[1:])


def filled(region: Cell, cells: list[Cell]) -> bool:
    """Whether the cells hold each integer and each rho of the region: by its corners, and slice by slice of counts."""
    firsts = sorted({cell.counts[0] for cell in cells} | {region.counts[0]})
    return all(
        _reaches(region, [c for c in cells if c.counts[0] <= n and (c.counts[1] is None or n <= c.counts[1])])
        for first in firsts
        for n in (first, first - 1, _last(region, firsts, first))
        if n >= region.counts[0]
    )


def _last(region: Cell, firsts: list[int], first: int) -> int:
    """The last count before the next cells start; where they go on without end, one that is far away."""
    later = [n for n in firsts if n > first]
    return later[0] - 1 if later else region.counts[1] or 10**30


def _reaches(region: Cell, cells: list[Cell]) -> bool:
    reached: Fraction | None = region.least_rho
    for cell in sorted(cells, key=lambda cell: cell.least_rho):
        if reached is None or cell.least_rho > reached:
            break
        reached = None if cell.largest_rho is None else max(reached, cell.largest_rho)
    return reached is None or (region.largest_rho is not None and reached >= region.largest_rho)


@pytest.mark.parametrize("region", REGIONS, ids=str)
def test_halves_fill_a_cell(region: Cell) -> None:
    assert filled(region, list(halves(region)))


def test_a_target_below_the_truth_is_not_reached() -> None:
    found = cover(Cell((3, 3), Fraction(1), Fraction(4)), Fraction(11, 10), budget=200)
    assert not found.proved
    assert found.open


@pytest.mark.parametrize(("upper", "lower"), [(Fraction(1, 2), 1), (1, 2)])
@pytest.mark.parametrize("region", REGIONS, ids=str)
def test_bounds_that_contradict_each_other_are_noticed(region: Cell, upper: Fraction, lower: int) -> None:
    def off(cell: Cell, target: Fraction) -> SettledCell:
        found = settle(cell, target)
        return replace(found, upper=upper * found.upper, lower=lower * found.lower)

    with pytest.raises(ValueError, match="of a head"):
        cover(region, Fraction(3, 2), settler=off)


@pytest.mark.parametrize("region", REGIONS, ids=str)
def test_looser_bounds_are_not_within_the_target(region: Cell) -> None:
    def loose(cell: Cell, target: Fraction) -> SettledCell:
        found = settle(cell, target)
        return replace(found, upper=2 * found.upper)

    assert not cover(region, Fraction(3, 2), budget=40, settler=loose).proved


def test_a_cell_without_enclosure_is_cut_or_left_open() -> None:
    def nothing(cell: Cell, target: Fraction) -> SettledCell:
        raise NoEnclosure("nothing")

    found = cover(Cell((3, 3), Fraction(1), Fraction(2)), Fraction(3, 2), settler=nothing)
    assert not found.proved
    assert not found.settled


def test_the_closed_forms_are_those_of_the_theorems() -> None:
    found = settle(Cell((100, 100), Fraction(5), Fraction(5)), Fraction(2))
    value = bounds.theorem(found.theorem).evaluate(n=100, R=1, norm_A=5, norm_a=0, norm_V=1)
    assert float(found.upper) == pytest.approx(float(value), rel=1e-14)
    assert float(found.upper) >= float(value)


@pytest.mark.parametrize("counts", [(7, None), (7, 9)])
def test_no_closed_form_over_small_rho(counts: tuple[int, int | None]) -> None:
    with pytest.raises(NoEnclosure, match="known to fall"):
        settle(Cell(counts, Fraction(1, 4), None), Fraction(2))


def test_the_head_is_an_expression() -> None:
    assert {str(symbol) for symbol in TWO_PLACES.free_symbols} >= {"odds", "gap", "inverse_rho"}
