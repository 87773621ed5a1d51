"""What IEEE double arithmetic promises in round to nearest, and the constants that every array enclosure uses.

Model: u = 2^-53. For + - * / sqrt, fl(x op y) = (x op y)(1 + d) + e with |d| <= u, where e = 0 for + and -, and
|e| <= 2^-1075 otherwise (gradual underflow). Inside BLAS, whose threads may flush results to zero, we assume only
|e| < 2^-1022 for every operation, and that they read subnormal numbers as they are (their modes are inherited from
the thread that started them). Nothing here switches rounding modes: BLAS would ignore it.
"""

import numpy as np

from ..errors import NoEnclosure

UNIT = 2.0**-53
SUBNORMAL = 2.0**-1074  # the least positive double: twice the underflow error of one numpy operation
FLUSHED = 2.0**-1022  # no operation that flushes to zero loses more
_SIX_ROUNDINGS = 1.0 + 2.0**-50


def gamma(count: int) -> float:
    """k u / (1 - k u), rounded up: the relative error of k roundings in any order, with or without FMA.

    Raises NoEnclosure when k is so large that nothing is known.
    Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., Lemma 3.1.
    """
    if not (0 <= count <= 2**40):
        raise NoEnclosure(f"a sum of {count} terms has no useful rounding error bound: split it")
    return float(np.nextafter(count * UNIT / (1.0 - count * UNIT), 2.0)) if count else 0.0


def up(value: np.ndarray) -> np.ndarray:
    """An upper bound of a nonnegative value that was computed with at most six roundings and no underflow error.

    (1 + 8u)(1 - u)^7 > 1 covers those and this product's own; where the value is subnormal, sums were exact.
    """
    return value * _SIX_ROUNDINGS


def require_nearest() -> None:
    """Refuse to compute where the processor does not round to nearest or replaces subnormal numbers by zero.

    Libraries built with -ffast-math switch that silently for the whole thread.
    Raises NoEnclosure.
    """
    one, half_ulp, least, normal = _PROBE
    nearest = one + half_ulp == one and one + 3.0 * half_ulp == one + 4.0 * half_ulp and -one - half_ulp == -one
    if not (nearest and least * 2.0**60 == 2.0**-1014 and normal * 0.5 > 0.0):
        raise NoEnclosure(
            "this thread does not round to nearest with gradual underflow; a library built with -ffast-math may have "
            "switched it: import it in another process"
        )


_PROBE = np.array([1.0, UNIT, SUBNORMAL, FLUSHED])  # an array, so that nothing is folded when the file is compiled
