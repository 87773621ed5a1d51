"""From exact dyadic numbers to doubles, in a chosen direction, by integers alone.

A dyadic is a pair (mantissa, exponent) of integers of any size and means mantissa * 2**exponent.
"""

import math

from ..errors import NoEnclosure

Dyadic = tuple[int, int]

_MANTISSA_BITS = 53
_LEAST_EXPONENT = -1074  # every double is an integer multiple of 2**-1074


def double_below(value: Dyadic) -> float:
    """The largest double that is not above `value`; subnormals included.

    Raises: NoEnclosure where the result would lie outside the finite doubles.
    """
    mantissa, exponent = value
    surplus = max(mantissa.bit_length() - _MANTISSA_BITS, _LEAST_EXPONENT - exponent)
    if surplus > 0:  # an integer shift to the right rounds towards minus infinity, for negative numbers too
        mantissa, exponent = mantissa >> surplus, exponent + surplus
    try:
        return math.ldexp(mantissa, exponent)
    except OverflowError:
        raise NoEnclosure(f"a number of about 2**{mantissa.bit_length() + exponent} overflows a double") from None


def double_above(value: Dyadic) -> float:
    """The smallest double that is not below `value`; raises as `double_below` does."""
    mantissa, exponent = value
    return 0.0 - double_below((-mantissa, exponent))  # 0.0 - x, for -x would turn 0.0 into -0.0
