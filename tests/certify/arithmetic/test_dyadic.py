"""Directed rounding to doubles, against exact fractions and the neighbouring doubles."""

import math
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.arithmetic.dyadic import double_above, double_below
from certify.errors import NoEnclosure

LARGEST = sys.float_info.max
dyadics = st.tuples(st.integers(-(2**200), 2**200), st.integers(-1400, 800))


def exact(value: tuple[int, int]) -> Fraction:
    mantissa, exponent = value
    return Fraction(mantissa) * Fraction(2) ** exponent


@given(dyadics)
def test_no_double_lies_between_a_number_and_its_roundings(value: tuple[int, int]) -> None:
    number, below, above = exact(value), double_below(value), double_above(value)
    assert Fraction(below) <= number < Fraction(math.nextafter(below, math.inf))
    assert Fraction(math.nextafter(above, -math.inf)) < number <= Fraction(above)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_its_own_rounding(value: float) -> None:
    numerator, denominator = value.as_integer_ratio()
    dyadic = (numerator, 1 - denominator.bit_length())
    assert double_below(dyadic) == double_above(dyadic) == value


def test_zero_has_no_sign() -> None:
    assert [math.copysign(1, rounding((0, 5))) for rounding in (double_below, double_above)] == [1.0, 1.0]


@pytest.mark.parametrize("exponent", [-1100, -(10**30)])
def test_what_is_below_every_subnormal_is_kept_on_its_side(exponent: int) -> None:
    assert (double_below((1, exponent)), double_above((1, exponent))) == (0.0, 5e-324)
    assert (double_below((-1, exponent)), double_above((-1, exponent))) == (-5e-324, 0.0)


@pytest.mark.parametrize("value", [(1, 1024), (1, 10**30), (2**54 - 1, 970)])
def test_overflow_is_refused_on_the_outer_side(value: tuple[int, int]) -> None:
    with pytest.raises(NoEnclosure, match="overflows a double"):
        double_above(value)
    with pytest.raises(NoEnclosure, match="overflows a double"):
        double_below((-value[0], value[1]))


def test_just_above_the_largest_double_still_has_a_double_below() -> None:
    assert double_below((2**54 - 1, 970)) == LARGEST
