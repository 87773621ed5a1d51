"""Theorems' terms as JSON data, evaluated over intervals of rationals.

A term is ["number", "p/q"], ["symbol", name], ["indexed", name, index], ["add", t...], ["mul", t...],
["pow", t, ["number", "p/q"]], ["exp", t], ["log", t] or ["sum", index, first, last, body].
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from .enclosures import NoRange, Range, add, exponential, logarithm, multiply, power

Value = Range | Sequence[Range]
Environment = Mapping[str, Value]

LONGEST_SUM = 4096


def evaluate(term: Any, environment: Environment) -> Range:
    """An enclosure of the term with every symbol anywhere in its range.

    Raises:
        NoRange: an unknown node, a missing symbol, or an operation without a finite real value.
    """
    head = str(term[0]) if isinstance(term, list) and term else ""
    if head not in NODES:
        raise NoRange(f"unknown node {str(term)[:40]!r} in a theorem's term")
    return NODES[head](environment, *term[1:])


def _symbol(environment: Environment, name: str) -> Range:
    value = environment.get(name)
    if not isinstance(value, Range):
        raise NoRange(f"no number for the symbol {name}")
    return value


def _indexed(environment: Environment, name: str, index: str) -> Range:
    values, place = environment.get(name), _symbol(environment, index)
    if isinstance(values, Range) or values is None:
        raise NoRange(f"no list for the symbol {name}")
    if place.lower != place.upper or place.lower.denominator != 1 or not 1 <= place.lower <= len(values):
        raise NoRange(f"{name} has {len(values)} entries, numbered from 1")
    return values[int(place.lower) - 1]


def _sum(environment: Environment, index: str, first: Any, last: Any, body: Any) -> Range:
    start, stop = evaluate(first, environment), evaluate(last, environment)
    if start.lower != start.upper or stop.lower != stop.upper or stop.upper - start.lower > LONGEST_SUM:
        raise NoRange("a sum needs integer limits")
    numbers = range(int(start.lower), int(stop.upper) + 1)
    parts = (evaluate(body, {**environment, index: Range.point(number)}) for number in numbers)
    return reduce(add, parts, Range.point(0))


def _power(environment: Environment, base: Any, exponent: Any) -> Range:
    if exponent[0] != "number":
        raise NoRange("a power needs a rational exponent")
    return power(evaluate(base, environment), Fraction(exponent[1]))


NODES: Mapping[str, Callable[..., Range]] = {
    "number": lambda environment, text: Range.point(Fraction(text)),
    "symbol": _symbol,
    "indexed": _indexed,
    "sum": _sum,
    "add": lambda environment, *parts: reduce(add, (evaluate(part, environment) for part in parts)),
    "mul": lambda environment, *parts: reduce(multiply, (evaluate(part, environment) for part in parts)),
    "pow": _power,
    "exp": lambda environment, part: exponential(evaluate(part, environment)),
    "log": lambda environment, part: logarithm(evaluate(part, environment)),
}
