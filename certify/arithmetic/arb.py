"""The working engine: Arb (python-flint) evaluates at exact points, and end points are kept in pairs.

An Arb ball rounds its radius to 30 bits, so [0, 1] as a ball reaches below 0 and its square root is nan. Therefore a
scalar is a pair of exact end points here; each operation lets Arb enclose the result at the end points and takes the
outermost rounded ends. The four operators have their extremes at the corners (0 outside the divisor), and exp, log and
sqrt increase.

python-flint keeps its precision in one global context. It is set around each evaluation and restored after, under a
lock, so that evaluations in several threads give the same doubles. Code outside that changes the precision meanwhile
cannot break an enclosure, only widen it; yet the restored value is then unspecified, so programs that use python-flint
themselves at a chosen precision should not run this engine in a second thread.
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TypeVar

from flint import arb, ctx, fmpq

from ..errors import NoEnclosure
from .dyadic import Dyadic
from .interval import Interval
from .scalars import BinaryOperation, Exact, Scalar, doubles_around, exact_ends, integer_power, shown

_T = TypeVar("_T")
_ZERO = arb(0)
_CONTEXT = RLock()


@dataclass(frozen=True, slots=True)
class ArbScalar(Scalar):
    """All reals between two exact Arb numbers."""

    lower: arb
    upper: arb
    precision: int

    def ends(self) -> tuple[Dyadic, Dyadic]:
        return _dyadic(self.lower), _dyadic(self.upper)

    def combined(self, operation: BinaryOperation, left: Scalar | int, right: Scalar | int) -> "ArbScalar":
        first, second = self._own(left), self._own(right)
        if operation is operator.truediv and second.lower <= _ZERO <= second.upper:
            raise NoEnclosure(f"division by {shown(second)}, which contains 0")
        return _at(self.precision, _combine, operation, first, second)

    def _own(self, other: Scalar | int) -> "ArbScalar":
        if isinstance(other, ArbScalar):
            return other
        if isinstance(other, int):
            return _at(self.precision, _hull, (arb(other),), self.precision)
        raise TypeError(f"cannot combine an ArbScalar with {type(other).__name__}")


@dataclass(frozen=True)
class ArbEngine:
    """Arb with so many bits; `ARB` is the one in use."""

    precision: int
    name: str = "arb"

    def number(self, lower: Exact, upper: Exact | None = None) -> ArbScalar:
        ratios = exact_ends(lower, upper)
        return _at(self.precision, lambda: _hull([arb(fmpq(*ratio)) for ratio in ratios], self.precision))

    def exp(self, x: Scalar) -> ArbScalar:
        return self._increasing(arb.exp, x)

    def log(self, x: Scalar) -> ArbScalar:
        if not _own_kind(x).lower > _ZERO:
            raise NoEnclosure(f"log of {shown(x)}, which is not positive")
        return self._increasing(arb.log, x)

    def sqrt(self, x: Scalar) -> ArbScalar:
        if not _own_kind(x).lower >= _ZERO:
            raise NoEnclosure(f"sqrt of {shown(x)}, which is not proved nonnegative")
        return self._increasing(arb.sqrt, x)

    def power(self, x: Scalar, exponent: int) -> Scalar:
        return integer_power(self, x, exponent)

    def maximum(self, x: Scalar, y: Scalar) -> ArbScalar:
        x, y = _own_kind(x), _own_kind(y)
        return ArbScalar(max(x.lower, y.lower), max(x.upper, y.upper), self.precision)

    def bounds(self, x: Scalar) -> Interval:
        return doubles_around(x.ends())

    def _increasing(self, function: Callable[[arb], arb], x: Scalar) -> ArbScalar:
        """Enclosure of an increasing function from balls around its values at the two end points."""
        x = _own_kind(x)
        ends = (x.lower,) if x.lower == x.upper else (x.lower, x.upper)
        return _at(self.precision, lambda: _hull([function(end) for end in ends], self.precision))


def _own_kind(x: Scalar) -> ArbScalar:
    if not isinstance(x, ArbScalar):
        raise TypeError(f"the arb engine was given a {type(x).__name__}")
    return x


def _at(precision: int, function: Callable[..., _T], *arguments: object) -> _T:
    with _CONTEXT:
        saved = ctx.prec
        ctx.prec = precision
        try:
            return function(*arguments)
        finally:
            ctx.prec = saved


def _combine(operation: BinaryOperation, x: ArbScalar, y: ArbScalar) -> ArbScalar:
    first = (x.lower,) if x.lower == x.upper else (x.lower, x.upper)
    second = (y.lower,) if y.lower == y.upper else (y.lower, y.upper)
    return _hull([operation(a, b) for a in first for b in second], x.precision)


def _hull(balls: Sequence[arb], precision: int) -> ArbScalar:
    """The smallest pair of ends around all balls; every ball is asked, for a comparison with nan is silently false."""
    if not all(ball.is_finite() for ball in balls):
        raise NoEnclosure("overflow or nan in Arb carries no information")
    return ArbScalar(min(ball.lower() for ball in balls), max(ball.upper() for ball in balls), precision)


def _dyadic(end: arb) -> Dyadic:
    mantissa, exponent = end.man_exp()
    return int(mantissa), int(exponent)


ARB = ArbEngine(precision=192)
