"""Intervals of rationals with outward rounding: + * powers, exp, log and sqrt, all enclosures.

An end point is a dyadic fraction of at most BITS significant bits; rounding always widens. Where no finite enclosure
exists the functions raise `NoRange`, never return a wrong one.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

BITS = 320
LARGEST_EXPONENT = 1 << 15  # exp(+-2**15) is far outside the doubles


class NoRange(Exception):
    """The operation has no finite real enclosure here."""


@dataclass(frozen=True)
class Range:
    """All reals from `lower` to `upper`."""

    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, lower: Fraction | int, upper: Fraction | int) -> "Range":
        return cls(_rounded(Fraction(lower), math.floor), _rounded(Fraction(upper), math.ceil))

    @classmethod
    def point(cls, value: Fraction | int) -> "Range":
        return cls.of(value, value)


def add(a: Range, b: Range) -> Range:
    return Range.of(a.lower + b.lower, a.upper + b.upper)


def multiply(a: Range, b: Range) -> Range:
    ends = (a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper)
    return Range.of(min(ends), max(ends))


def reciprocal(a: Range) -> Range:
    if a.lower <= 0 <= a.upper:
        raise NoRange("division by a number that may be zero")
    return Range.of(1 / a.upper, 1 / a.lower)


def power(a: Range, exponent: Fraction) -> Range:
    """a ** exponent for integers and halves of integers."""
    if exponent.denominator == 2:
        return power(square_root(a), Fraction(exponent.numerator))
    if exponent.denominator != 1 or abs(exponent) > 64:
        raise NoRange(f"the power {exponent} is not supported")
    if exponent < 0:
        return reciprocal(power(a, -exponent))
    count = exponent.numerator
    if count % 2 == 0 and a.lower < 0:
        a = Range(max(Fraction(0), -a.upper), max(-a.lower, a.upper))
    return Range.of(a.lower**count, a.upper**count)  # monotone: odd, or even on nonnegative ends


def square_root(a: Range) -> Range:
    if a.lower < 0:
        raise NoRange("square root of a number that may be negative")
    return Range(_root(a.lower, 0), _root(a.upper, 1))


def exponential(a: Range) -> Range:
    return Range(_exp(a.lower).lower, _exp(a.upper).upper)


def logarithm(a: Range) -> Range:
    if a.lower <= 0:
        raise NoRange("logarithm of a number that may be zero")
    return Range(_log(a.lower).lower, _log(a.upper).upper)


def _rounded(x: Fraction, towards: Callable[[Fraction], int]) -> Fraction:
    """x rounded by `towards` (floor or ceil) to BITS significant bits."""
    if x == 0:
        return x
    shift = BITS - x.numerator.bit_length() + x.denominator.bit_length()
    scaled = x * 2**shift if shift >= 0 else x / 2**-shift
    whole = towards(scaled)
    return Fraction(whole, 2**shift) if shift >= 0 else Fraction(whole * 2**-shift)


def _root(x: Fraction, one_up: int) -> Fraction:
    """A dyadic at most (one_up = 0) or at least (one_up = 1) sqrt(x); exact where the root is."""
    if x == 0:
        return x
    shift = BITS - (x.numerator.bit_length() - x.denominator.bit_length()) // 2
    shift = max(shift, 0)
    scaled = x * 4**shift
    whole = math.isqrt(math.floor(scaled))
    if whole * whole != scaled:
        whole += one_up
    return Fraction(whole, 2**shift)


def _exp(x: Fraction) -> Range:
    if x > LARGEST_EXPONENT:
        raise NoRange("exp of a number above 2**15")
    if x < 0:
        if x < -LARGEST_EXPONENT:  # not expanded: the end points would have millions of bits
            return Range(Fraction(0), Fraction(1, 2**LARGEST_EXPONENT))
        return reciprocal(_exp(-x))
    halvings = max(0, math.ceil(x).bit_length() + 8)
    y = x / 2**halvings  # in [0, 2**-8]
    result = _taylor(_rounded(y, math.floor), _rounded(y, math.ceil))
    for _ in range(halvings):
        result = Range.of(result.lower**2, result.upper**2)
    return result


def _taylor(low: Fraction, high: Fraction) -> Range:
    """exp on 0 <= low <= high <= 2**-8: the partial sum is a lower end, a geometric tail gives the upper one."""
    width = BITS + 64
    lower = upper = term_low = term_high = 1 << width
    y_low, y_high = math.floor(low * 2**width), math.ceil(high * 2**width)
    for j in range(1, 64):
        term_low = (term_low * y_low >> width) // j
        term_high = -((-term_high * y_high >> width) // j)
        lower += term_low
        upper += term_high
    upper += term_high  # all later terms together are below the last one, as y / j < 1/2
    return Range(Fraction(lower, 1 << width), Fraction(upper, 1 << width))


def _log(x: Fraction) -> Range:
    twos = x.numerator.bit_length() - x.denominator.bit_length()
    mantissa = x / 2**twos if twos >= 0 else x * 2**-twos  # in (1/2, 2)
    log_two = multiply(Range.point(2), _atanh(Fraction(1, 3)))
    part = multiply(Range.point(2), _atanh((mantissa - 1) / (mantissa + 1)))
    return add(multiply(Range.point(twos), log_two), part)


def _atanh(z: Fraction) -> Range:
    """atanh on |z| <= 1/3 by its series; the tail is below z**(2 m + 1) * 9/8."""
    if z < 0:
        mirrored = _atanh(-z)
        return Range(-mirrored.upper, -mirrored.lower)
    total, square, factor = Range.point(0), Range.point(z * z), Range.point(z)
    count = BITS // 3 + 16
    for j in range(count):
        total = add(total, multiply(factor, Range.point(Fraction(1, 2 * j + 1))))
        factor = multiply(factor, square)
    return Range(total.lower, _rounded(total.upper + factor.upper * Fraction(9, 8), math.ceil))
