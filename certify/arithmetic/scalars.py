"""Rigorous real arithmetic behind one small interface, with two independent engines.

Contract (inclusion): a `Scalar` is a closed interval of reals with finite dyadic end points. If x lies in X and y in Y,
then x op y lies in X op Y, and f(x) in f(X). There is no nan and no infinity: an operation that would end there raises
`NoEnclosure` with its reason, so that having a scalar in hand is always information.

End points are rounded outward at every step. Operations on exact points that are representable stay exact.
"""

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from ..errors import NoEnclosure
from .dyadic import Dyadic, double_above, double_below
from .interval import Interval

Exact = int | Fraction | float
"""A number that is meant exactly; a float is the double itself, not the decimal it was typed as."""

BinaryOperation = Callable[[Any, Any], Any]


class Scalar(ABC):
    """An enclosure of one real number; + - * / and unary minus, with ints allowed on either side."""

    __slots__ = ()

    @abstractmethod
    def ends(self) -> tuple[Dyadic, Dyadic]:
        """The exact lower and upper end point."""

    @abstractmethod
    def combined(self, operation: BinaryOperation, left: "Scalar | int", right: "Scalar | int") -> "Scalar":
        """Enclosure of `operation(left, right)`, one of the four operators, by the engine that made `self`."""

    def __add__(self, other: "Scalar | int") -> "Scalar":
        return self.combined(operator.add, self, other)

    def __radd__(self, other: int) -> "Scalar":
        return self.combined(operator.add, other, self)

    def __sub__(self, other: "Scalar | int") -> "Scalar":
        return self.combined(operator.sub, self, other)

    def __rsub__(self, other: int) -> "Scalar":
        return self.combined(operator.sub, other, self)

    def __mul__(self, other: "Scalar | int") -> "Scalar":
        return self.combined(operator.mul, self, other)

    def __rmul__(self, other: int) -> "Scalar":
        return self.combined(operator.mul, other, self)

    def __truediv__(self, other: "Scalar | int") -> "Scalar":
        return self.combined(operator.truediv, self, other)

    def __rtruediv__(self, other: int) -> "Scalar":
        return self.combined(operator.truediv, other, self)

    def __neg__(self) -> "Scalar":
        return self.combined(operator.sub, 0, self)


class Engine(Protocol):
    """What an engine offers beyond the operators. Scalars of different engines never mix (TypeError)."""

    @property
    def name(self) -> str: ...

    def number(self, lower: Exact, upper: Exact | None = None) -> Scalar:
        """Enclosure of [lower, upper], or of one number; refuses nan, infinities and lower > upper."""
        ...

    def exp(self, x: Scalar) -> Scalar:
        """Refuses overflow; where the argument is far below 0, the lower end may be 0 but is not below it."""
        ...

    def log(self, x: Scalar) -> Scalar:
        """Refuses an interval that is not wholly positive."""
        ...

    def sqrt(self, x: Scalar) -> Scalar:
        """Refuses an interval whose lower end is negative: that it is rounding only is for the caller to prove."""
        ...

    def power(self, x: Scalar, exponent: int) -> Scalar:
        """x**exponent, with x**0 = 1; refuses a negative exponent where x may be 0."""
        ...

    def maximum(self, x: Scalar, y: Scalar) -> Scalar:
        """Enclosure of the larger of the two numbers."""
        ...

    def bounds(self, x: Scalar) -> Interval:
        """The tightest interval of doubles around x: lower end rounded down, upper end rounded up."""
        ...


def exact_ends(lower: Exact, upper: Exact | None) -> tuple[tuple[int, int], tuple[int, int]]:
    """Both end points of an interval given by one or two numbers, as ratios; refuses nan, infinities, lower > upper."""
    upper = lower if upper is None else upper
    ends = _ratio(lower), _ratio(upper)
    if not lower <= upper:
        raise NoEnclosure(f"[{lower}, {upper}] is not an interval: the lower end must not exceed the upper end")
    return ends


def _ratio(value: Exact) -> tuple[int, int]:
    if not isinstance(value, (int, Fraction, float)):
        raise NoEnclosure(f"{value!r} is a {type(value).__name__}, no exact number: give an int, Fraction or float")
    if isinstance(value, float) and not math.isfinite(value):
        raise NoEnclosure(f"{value} carries no information: end points must be finite")
    return value.as_integer_ratio()


def contains_zero(x: Scalar) -> bool:
    """Whether 0 lies in the enclosure: decided, for the ends are exact."""
    (lower, _), (upper, _) = x.ends()
    return lower <= 0 <= upper


def integer_power(engine: Engine, x: Scalar, exponent: int) -> Scalar:
    """x**exponent by repeated multiplication; never through an engine's own power (`arb(0, 1)**2` is nan)."""
    if exponent < 0:
        return 1 / integer_power(engine, x, -exponent)
    if exponent % 2 == 0:  # |x| has the same even powers, and only a straddling base loses by not knowing its sign
        x = engine.maximum(engine.maximum(x, -x), engine.number(0))
    result = engine.number(1)
    while exponent:
        if exponent & 1:
            result = result * x
        exponent >>= 1
        if exponent:
            x = x * x
    return result


def doubles_around(ends: tuple[Dyadic, Dyadic]) -> Interval:
    """Both ends rounded outward to doubles; refuses overflow."""
    lower, upper = ends
    return Interval(double_below(lower), double_above(upper))


def shown(x: Scalar) -> str:
    """An enclosure as text for a refusal, also where it does not fit into doubles."""
    try:
        interval = doubles_around(x.ends())
    except NoEnclosure:
        return "an interval beyond the doubles"
    return f"[{interval.lower}, {interval.upper}]"
