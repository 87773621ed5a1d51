"""Trap: `arb(0, 1)**2` is nan in python-flint 0.9, and a comparison with nan is silently false."""

import pytest
from flint import arb

from certify.arithmetic import arb as engine_file
from certify.arithmetic.arb import ARB
from certify.arithmetic.interval import Interval
from certify.errors import NoEnclosure

NAN = arb("nan")


def test_comparisons_with_nan_say_no_in_both_directions() -> None:
    one = arb(1)
    assert not one >= NAN
    assert not one < NAN
    assert min([arb(0), NAN]).is_finite()  # so a minimum forgets a nan that does not come first


@pytest.mark.parametrize("ends", [(-1, 1), (0, 1), (-1, 0)])
def test_squares_of_intervals_around_zero_are_known(ends: tuple[int, int]) -> None:
    x = ARB.number(*ends)
    assert ARB.bounds(ARB.power(x, 2)) == Interval(0.0, 1.0)
    product = ARB.bounds(x * x)
    assert product.lower <= 0.0
    assert product.upper == 1.0


@pytest.mark.parametrize("place", [0, 1])
def test_a_nan_ball_is_refused_wherever_it_stands(place: int) -> None:
    balls = [arb(0), arb(1)]
    balls[place] = NAN
    with pytest.raises(NoEnclosure, match="overflow or nan in Arb carries no information"):
        engine_file._hull(balls, 192)
