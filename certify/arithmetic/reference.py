"""The reference engine: mpmath intervals, of which only + - * / are trusted.

`mpmath.iv.exp` of mpmath 1.3 is not an enclosure, and its authors promise nothing beyond the four operators. So exp is
a Taylor polynomial with a proved remainder after exact halvings, log is an approximation corrected through exp, and
sqrt is an integer square root. All are increasing and are evaluated at the two end points, which keeps them tight.

The interval context is private and its precision never changes, so threads do not disturb each other.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import from_man_exp, mpf_log

from ..errors import NoEnclosure
from .dyadic import Dyadic
from .interval import Interval
from .scalars import BinaryOperation, Exact, Scalar, contains_zero, doubles_around, exact_ends, integer_power, shown

_PRECISION = 256
_HALVED_BELOW = -16  # the Taylor polynomial sees |r| <= 2**-16
_TERMS = 16  # so its remainder is below 2 * 2**(-16*16) / 16! < 2**-299
_LARGEST_ARGUMENT = 64  # exp beyond 2**64 is refused or enclosed by [0, exp(-2**64)]

_IV: Any = MPIntervalContext()
_IV.prec = _PRECISION
_COEFFICIENTS = tuple(_IV.mpf(1) / math.factorial(order) for order in range(_TERMS))


@dataclass(frozen=True, slots=True)
class ReferenceScalar(Scalar):
    """One mpmath interval of the private context."""

    enclosure: Any

    def ends(self) -> tuple[Dyadic, Dyadic]:
        lower, upper = self.enclosure._mpi_
        return _dyadic(lower), _dyadic(upper)

    def combined(self, operation: BinaryOperation, left: Scalar | int, right: Scalar | int) -> "ReferenceScalar":
        first, second = _own(left), _own(right)
        if operation is operator.truediv and contains_zero(second):
            raise NoEnclosure(f"division by {shown(second)}, which contains 0")
        return ReferenceScalar(operation(first.enclosure, second.enclosure))


@dataclass(frozen=True)
class ReferenceEngine:
    """mpmath.iv repaired; `REFERENCE` is the one there is."""

    name: str = "reference"

    def number(self, lower: Exact, upper: Exact | None = None) -> ReferenceScalar:
        (p, q), (r, s) = exact_ends(lower, upper)
        return ReferenceScalar(_between(_IV.mpf(p) / q, _IV.mpf(r) / s))

    def exp(self, x: Scalar) -> ReferenceScalar:
        lower, upper = _own(x).ends()
        return ReferenceScalar(_increasing(_exp, lower, upper))

    def log(self, x: Scalar) -> ReferenceScalar:
        lower, upper = _own(x).ends()
        if not lower[0] > 0:
            raise NoEnclosure(f"log of {shown(x)}, which is not positive")
        return ReferenceScalar(_increasing(_log, lower, upper))

    def sqrt(self, x: Scalar) -> ReferenceScalar:
        lower, upper = _own(x).ends()
        if not lower[0] >= 0:
            raise NoEnclosure(f"sqrt of {shown(x)}, which is not proved nonnegative")
        return ReferenceScalar(_increasing(_sqrt, lower, upper))

    def power(self, x: Scalar, exponent: int) -> Scalar:
        return integer_power(self, x, exponent)

    def maximum(self, x: Scalar, y: Scalar) -> ReferenceScalar:
        first, second = _own(x).enclosure, _own(y).enclosure
        lower = first.a if first.a >= second.a else second.a
        return ReferenceScalar(_between(lower, first.b if first.b >= second.b else second.b))

    def bounds(self, x: Scalar) -> Interval:
        return doubles_around(x.ends())


def _exp(x: Dyadic) -> Any:
    """Enclosure of exp at a point: exact halvings to |r| <= 2**-16, Taylor with remainder, squarings.

    With N terms and |r| < 1 the remainder is at most 2 |r|^N / N!. Each squaring doubles the relative width; at most
    80 of them leave more than 170 of the 256 bits.
    """
    mantissa, exponent = x
    if mantissa == 0:
        return _IV.mpf(1)
    magnitude = mantissa.bit_length() + exponent  # |x| < 2**magnitude
    if magnitude > _LARGEST_ARGUMENT:
        if mantissa > 0:
            raise NoEnclosure(f"exp of a number above 2**{_LARGEST_ARGUMENT} overflows")
        return _between(_IV.mpf(0), _exp((-1, _LARGEST_ARGUMENT - 1)))
    halvings = max(0, magnitude - _HALVED_BELOW)
    reduced = _point((mantissa, exponent - halvings))
    result = _taylor(reduced)
    for _ in range(halvings):
        result = result * result
    return result


def _taylor(reduced: Any) -> Any:
    """Enclosure of exp(r) for |r| <= 2**-16: Horner's scheme plus the remainder on both sides."""
    remainder = (_IV.mpf(2) * _point((1, _HALVED_BELOW * _TERMS)) / math.factorial(_TERMS)).b
    result = _IV.mpf(0)
    for coefficient in reversed(_COEFFICIENTS):
        result = result * reduced + coefficient
    return result + _between(-remainder, remainder)


def _log(x: Dyadic) -> Any:
    """Enclosure of log at a positive point: log x = y + log(1 + z) for any y, with z = x exp(-y) - 1.

    The approximation y may be wrong without harm: z/(1+z) <= log(1+z) <= z holds for every z > -1.
    """
    approximation = _dyadic(mpf_log(from_man_exp(*x), _PRECISION))
    z = _point(x) * _exp((-approximation[0], approximation[1])) - 1
    if not z.a > -1:
        raise NoEnclosure("log: the approximation was too far away to be corrected")
    correction = _between((z / (1 + z)).a, z.b)
    return _point(approximation) + correction


def _sqrt(x: Dyadic) -> Any:
    """Enclosure of sqrt at a nonnegative point, exact where the root is: isqrt(m)**2 <= m < (isqrt(m) + 1)**2."""
    mantissa, exponent = x
    shift = max(0, 2 * _PRECISION - mantissa.bit_length())
    shift += (exponent - shift) % 2  # the exponent left over must be even
    scaled = mantissa << shift
    root = math.isqrt(scaled)
    above = root if root * root == scaled else root + 1
    half = (exponent - shift) // 2
    return _between(_point((root, half)), _point((above, half)))


def _own(x: Scalar | int) -> ReferenceScalar:
    if isinstance(x, ReferenceScalar):
        return x
    if isinstance(x, int):
        return ReferenceScalar(_IV.mpf(x))
    raise TypeError(f"cannot combine a ReferenceScalar with {type(x).__name__}")


def _increasing(function: Callable[[Dyadic], Any], lower: Dyadic, upper: Dyadic) -> Any:
    below = function(lower)
    return below if lower == upper else _between(below, function(upper))


def _between(lower: Any, upper: Any) -> Any:
    """From the lower end of one interval to the upper end of another; nan and infinities are refused in `_dyadic`."""
    return _IV.mpf((lower.a, upper.b))


def _point(x: Dyadic) -> Any:
    """The exact number as an interval, whatever its number of bits."""
    raw = from_man_exp(*x)
    return _IV.make_mpf((raw, raw))


def _dyadic(raw: tuple[int, int, int, int]) -> Dyadic:
    """The exact value of a raw mpmath number; infinities and nan have mantissa 0 and a nonzero exponent."""
    sign, mantissa, exponent, _ = raw
    if not (mantissa or exponent == 0):
        raise NoEnclosure("overflow or nan in mpmath carries no information")
    return int(-mantissa if sign else mantissa), int(exponent)


REFERENCE = ReferenceEngine()
