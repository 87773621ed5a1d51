"""What is particular to the Arb engine: end points instead of balls, and python-flint's global precision."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import arb, ctx

from certify.arithmetic.arb import ARB
from certify.arithmetic.interval import Interval
from certify.errors import NoEnclosure


@pytest.fixture(params=[2, 53, 1000])
def foreign_precision(request: pytest.FixtureRequest) -> Iterator[int]:
    saved, ctx.prec = ctx.prec, request.param
    yield request.param
    ctx.prec = saved


def test_the_global_precision_neither_matters_nor_changes(foreign_precision: int) -> None:
    third = ARB.number(1) / 3
    result = ARB.bounds(ARB.log(ARB.exp(third) * 7) - ARB.sqrt(ARB.number(Fraction(1, 7))) + 2**90 - 2**90)
    assert result.upper - result.lower <= 1e-15
    assert ctx.prec == foreign_precision


def test_the_global_precision_is_restored_after_a_refusal(foreign_precision: int) -> None:
    with pytest.raises(NoEnclosure):
        ARB.exp(ARB.number(1e300))
    assert ctx.prec == foreign_precision


def test_an_interval_that_touches_zero_stays_there() -> None:
    """As a ball with a 30-bit radius [0, 0.1] would reach below 0 and its square root would be nan."""
    ball = arb(0).union(arb(0.1))
    assert not ball.lower() >= 0
    assert ARB.bounds(ARB.sqrt(ARB.number(0, 0.1))).lower == 0.0
    assert ARB.bounds(ARB.number(0, 0.1)) == Interval(0.0, 0.1)
