"""SymPy expression -> enclosure: the only bridge from symbols to numbers.

One table maps each node class to its handler, and one walker applies it. A node class that is not in the table is
refused by name; a float inside an expression is refused too, for nobody knows which real number it was meant to be.
Equal subexpressions are evaluated once. The dependency problem is accepted: x**2 - x over [0, 1] gives [-1, 1].
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp

from .arithmetic.arb import ARB
from .arithmetic.interval import Interval
from .arithmetic.scalars import Engine, Scalar
from .errors import NoEnclosure

Number = int | Fraction | Interval
Environment = Mapping[Any, Number | Sequence[Number]]
"""Keys are sp.Symbol or sp.IndexedBase; typed Any because a Mapping is invariant in its keys."""

LONGEST_SUM = 50_000  # terms that are added one by one, in a few seconds

# 80 decimals, more than the 256 bits of either engine; rounding in `number` only widens
_PI_SCALE = 10**80
_PI = 314159265358979323846264338327950288419716939937510582097494459230781640628620899


def enclose(expr: sp.Expr, environment: Environment, engine: Engine = ARB) -> Interval:
    """Enclosure of an expression over an environment, as doubles rounded outward.

    Symbols take an int, a Fraction or an Interval; an IndexedBase takes a sequence of those, whose first entry has
    index 1. A float is no value: write `Interval.point(x)` where the double itself is meant.
    Raises: NoEnclosure that names an unknown node, a missing or unusable value, or says why the evaluation ended.
    """
    return engine.bounds(_Walk(engine, environment).scalar(expr))


@dataclass(frozen=True)
class _Walk:
    """One evaluation: the engine, the values of the symbols, and what has been evaluated under them."""

    engine: Engine
    environment: Environment
    known: dict[sp.Basic, Scalar] = field(default_factory=dict, init=False)

    def scalar(self, node: sp.Basic) -> Scalar:
        """Enclosure of a node."""
        if node in self.known:
            return self.known[node]
        handler = _HANDLERS.get(type(node))  # the exact class: a subclass may mean something else
        if handler is None:
            raise NoEnclosure(f"no rule to enclose {type(node).__name__} (in {node}): rewrite it in known functions")
        self.known[node] = result = handler(self, node)
        return result

    def integer(self, node: sp.Basic, role: str) -> int:
        """The value of a node that must be one exact integer."""
        value = _exact_integer(self.scalar(node))
        if value is None:
            raise NoEnclosure(f"{role} {node} is not one exact integer: give an int")
        return value

    def number(self, value: object, name: object) -> Scalar:
        """Enclosure of one value of the environment."""
        if isinstance(value, Interval):
            return self.engine.number(value.lower, value.upper)
        if isinstance(value, (int, Fraction)):
            return self.engine.number(value)
        raise NoEnclosure(f"{name} is a {type(value).__name__}: give an int, a Fraction or an Interval")

    def given(self, key: sp.Basic) -> Number | Sequence[Number]:
        if key not in self.environment:
            raise NoEnclosure(f"{key} has no value: add it to the environment, with the assumptions of its declaration")
        return self.environment[key]


def _symbol(walk: _Walk, node: sp.Symbol) -> Scalar:
    return walk.number(walk.given(node), node)


def _indexed(walk: _Walk, node: sp.Indexed) -> Scalar:
    if len(node.indices) != 1:
        raise NoEnclosure(f"{node} has {len(node.indices)} indices: only one is known here")
    values = walk.given(node.base)
    if not isinstance(values, Sequence):
        raise NoEnclosure(f"{node.base} is a {type(values).__name__}: give a sequence, whose first entry has index 1")
    index = walk.integer(node.indices[0], "the index")
    if not 1 <= index <= len(values):
        raise NoEnclosure(f"{node.base}[{index}] does not exist: the indices go from 1 to {len(values)}")
    return walk.number(values[index - 1], f"{node.base}[{index}]")


def _rational(walk: _Walk, node: sp.Rational) -> Scalar:
    return walk.engine.number(Fraction(int(node.p), int(node.q)))


def _pi(walk: _Walk, node: sp.Basic) -> Scalar:
    return walk.engine.number(Fraction(_PI, _PI_SCALE), Fraction(_PI + 1, _PI_SCALE))


def _e(walk: _Walk, node: sp.Basic) -> Scalar:
    return walk.engine.exp(walk.engine.number(1))


def _add(walk: _Walk, node: sp.Add) -> Scalar:
    return reduce(lambda total, term: total + term, (walk.scalar(term) for term in node.args))


def _mul(walk: _Walk, node: sp.Mul) -> Scalar:
    return reduce(lambda product, factor: product * factor, (walk.scalar(factor) for factor in node.args))


def _pow(walk: _Walk, node: sp.Pow) -> Scalar:
    """Integer exponents by multiplication, p / 2^k through square roots, everything else as exp(e log b)."""
    base = walk.scalar(node.base)
    if isinstance(node.exp, sp.Rational):
        return _rational_power(walk.engine, base, int(node.exp.p), int(node.exp.q))
    exponent = walk.scalar(node.exp)
    integer = _exact_integer(exponent)
    if integer is not None:
        return walk.engine.power(base, integer)
    return walk.engine.exp(exponent * walk.engine.log(base))


def _rational_power(engine: Engine, base: Scalar, numerator: int, denominator: int) -> Scalar:
    if denominator & (denominator - 1):  # not a power of two
        return engine.exp(engine.number(Fraction(numerator, denominator)) * engine.log(base))
    for _ in range(denominator.bit_length() - 1):
        base = engine.sqrt(base)
    return engine.power(base, numerator)


def _exp(walk: _Walk, node: sp.exp) -> Scalar:
    return walk.engine.exp(walk.scalar(node.args[0]))


def _log(walk: _Walk, node: sp.log) -> Scalar:
    return walk.engine.log(walk.scalar(node.args[0]))


def _max(walk: _Walk, node: sp.Max) -> Scalar:
    return reduce(walk.engine.maximum, (walk.scalar(argument) for argument in node.args))


def _min(walk: _Walk, node: sp.Min) -> Scalar:
    return -reduce(walk.engine.maximum, (-walk.scalar(argument) for argument in node.args))


def _abs(walk: _Walk, node: sp.Abs) -> Scalar:
    value = walk.scalar(node.args[0])
    return walk.engine.maximum(walk.engine.maximum(value, -value), walk.engine.number(0))


def _sum(walk: _Walk, node: sp.Sum) -> Scalar:
    """Term by term over integer limits; several limits are sums of sums, the last one outermost."""
    return _summed(walk, node.function, tuple(node.limits))


def _summed(walk: _Walk, body: sp.Basic, limits: tuple[Any, ...]) -> Scalar:
    if not limits:
        return walk.scalar(body)
    *inner, (index, lowest, highest) = limits
    first, last = walk.integer(lowest, "the first index"), walk.integer(highest, "the last index")
    if last < first - 1:
        raise NoEnclosure(f"the sum over {index} from {first} to {last} runs backwards")
    if last - first >= LONGEST_SUM:
        raise NoEnclosure(
            f"the sum over {index} has {last - first + 1} terms: more than {LONGEST_SUM} are not added up"
        )
    total = walk.engine.number(0)
    for position in range(first, last + 1):
        here = _Walk(walk.engine, {**walk.environment, index: position})
        total = total + _summed(here, body, tuple(inner))
    return total


def _refused(walk: _Walk, node: sp.Expr) -> Scalar:
    raise NoEnclosure(f"{type(node).__name__} {node} is no exact finite number: write an Integer or a Rational")


def _exact_integer(value: Scalar) -> int | None:
    """The integer that an enclosure without width is, if it is one of reasonable size."""
    lower, upper = value.ends()
    mantissa, exponent = lower
    if lower != upper or exponent > 1024:
        return None
    if exponent >= 0:
        return mantissa << exponent
    if mantissa and -exponent >= mantissa.bit_length():
        return None
    return None if mantissa & ((1 << -exponent) - 1) else mantissa >> -exponent


_NUMBERS = (sp.Integer, sp.Rational, *map(type, (sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.S.Half)))
_REFUSED = (sp.Float, *map(type, (sp.S.NaN, sp.S.Infinity, sp.S.NegativeInfinity, sp.S.ComplexInfinity)))

_HANDLERS: dict[type, Callable[[_Walk, Any], Scalar]] = {
    **dict.fromkeys(_NUMBERS, _rational),
    **dict.fromkeys(_REFUSED, _refused),
    sp.Symbol: _symbol,
    sp.Dummy: _symbol,
    sp.Indexed: _indexed,
    type(sp.pi): _pi,
    type(sp.E): _e,
    sp.Add: _add,
    sp.Mul: _mul,
    sp.Pow: _pow,
    sp.exp: _exp,
    sp.log: _log,
    sp.Max: _max,
    sp.Min: _min,
    sp.Abs: _abs,
    sp.Sum: _sum,
}
