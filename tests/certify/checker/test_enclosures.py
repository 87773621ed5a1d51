"""Every operation encloses the true value, tightly, and refuses where there is none."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from certify.checker import enclosures as e
from certify.checker.enclosures import NoRange, Range


def as_mp(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def assert_tight(result: Range, function: Callable[[Any], Any], x: Fraction) -> None:
    """The value to 500 bits lies inside, and the enclosure is narrower than 250 bits relative."""
    with mpmath.workprec(500):
        true = function(as_mp(x))
        assert as_mp(result.lower) <= true <= as_mp(result.upper)
        assert as_mp(result.upper - result.lower) <= abs(true) * mpmath.mpf(2) ** -250


def samples(count: int, low: float, high: float, seed: int = 0) -> list[Fraction]:
    rng = random.Random(seed)
    return [Fraction(rng.uniform(low, high)) for _ in range(count)] + [Fraction(low), Fraction(high)]


@pytest.mark.parametrize("scale", [1e-12, 1.0, 40.0, 3000.0])
def test_exp(scale: float) -> None:
    for x in [*samples(12, -scale, scale), Fraction(1, 3), Fraction(0)]:
        assert_tight(e.exponential(Range.point(x)), mpmath.exp, e.Range.point(x).lower)


def test_exp_far_outside_the_doubles() -> None:
    tiny = e.exponential(Range.of(-(10**9), -(10**6)))
    assert tiny.lower == 0
    assert 0 < tiny.upper < Fraction(1, 2**1074)
    with pytest.raises(NoRange, match=r"exp of a number above 2\*\*15"):
        e.exponential(Range.of(0, 10**6))


@pytest.mark.parametrize("high", [1e-9, 0.7, 2.0, 1e30])
def test_log(high: float) -> None:
    for x in samples(8, high / 7, high):
        if x != 1:
            assert_tight(e.logarithm(Range.point(x)), mpmath.log, x)
    assert e.logarithm(Range.point(1)) == Range(Fraction(0), Fraction(0))


def test_square_root() -> None:
    for x in [*samples(20, 1e-300, 1e-290), *samples(20, 0.1, 9), *samples(20, 1e200, 1e300)]:
        assert_tight(e.square_root(Range.point(x)), mpmath.sqrt, x)
    assert e.square_root(Range.of(4, 9)) == Range.of(2, 3)
    assert e.square_root(Range.of(0, 0)) == Range.of(0, 0)


@pytest.mark.parametrize("exponent", [Fraction(-2), Fraction(-1, 2), Fraction(3), Fraction(5, 2), Fraction(0)])
def test_power(exponent: Fraction) -> None:
    for x in samples(10, 0.2, 70):
        assert_tight(e.power(Range.point(x), exponent), lambda y: y ** as_mp(exponent), x)


def test_signs() -> None:
    a, b = Range.of(-2, 3), Range.of(-5, 7)
    assert e.multiply(a, b) == Range.of(-15, 21)
    assert e.add(a, b) == Range.of(-7, 10)
    assert e.power(a, Fraction(2)) == Range.of(0, 9)
    assert e.power(Range.of(-3, -2), Fraction(2)) == Range.of(4, 9)
    assert e.power(a, Fraction(3)) == Range.of(-8, 27)
    assert e.reciprocal(Range.of(-4, -2)) == Range.of(Fraction(-1, 2), Fraction(-1, 4))


def test_rounding_is_outward() -> None:
    third = Range.point(Fraction(1, 3))
    assert third.lower < Fraction(1, 3) < third.upper
    assert third.upper - third.lower <= Fraction(1, 2**e.BITS)
    minus = Range.point(Fraction(-1, 3))
    assert minus == Range(-third.upper, -third.lower)


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (lambda: e.reciprocal(Range.of(-1, 1)), "division by a number that may be zero"),
        (lambda: e.square_root(Range.of(-1, 1)), "square root of a number that may be negative"),
        (lambda: e.logarithm(Range.of(0, 1)), "logarithm of a number that may be zero"),
        (lambda: e.power(Range.of(1, 2), Fraction(1, 3)), "the power 1/3 is not supported"),
    ],
)
def test_no_enclosure(operation: Callable[[], Range], reason: str) -> None:
    with pytest.raises(NoRange, match=reason):
        operation()
