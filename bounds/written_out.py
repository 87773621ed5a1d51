"""Writes a formula out entry by entry for explicit sizes: exactly with SymPy's numbers or symbols, or in floats.

One walker over the expression, and a table of the functions in it for each kind of number.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add, mul
from typing import Any

import sympy as sp

from .errors import EvaluationError
from .formula import Definition, Formula, Letter, letter_of

Entry = tuple[int, ...]
Numbers = Mapping[Entry, Any]
Values = Mapping[sp.Symbol | Letter, Any]


@dataclass(frozen=True)
class Arithmetic:
    """What a plain number and each function become."""

    number: Callable[[sp.Expr], Any]
    functions: Mapping[type, Callable[..., Any]]


EXACT = Arithmetic(
    number=lambda number: number,
    functions={kind: kind for kind in (sp.exp, sp.log, sp.erf, sp.tanh, sp.cos, sp.sin, sp.Heaviside, sp.Max)},
)
FLOATS = Arithmetic(
    number=float,
    functions={
        sp.exp: math.exp,
        sp.log: math.log,
        sp.erf: math.erf,
        sp.tanh: math.tanh,
        sp.cos: math.cos,
        sp.sin: math.sin,
        sp.Heaviside: lambda x, at_zero: at_zero if x == 0 else float(x > 0),
        sp.Max: max,
    },
)


@dataclass(frozen=True, eq=False)
class WrittenOut:
    """A formula at explicit sizes.

    `values` gives every size an int, every other symbol a number, and every letter that no definition has a mapping
    from its indices, counted from 1, to numbers. Each entry of a defined letter is computed once.
    """

    formula: Formula
    values: Values
    arithmetic: Arithmetic = EXACT
    _definitions: dict[Letter, Definition] = field(init=False)
    _known: dict[tuple[Letter, Entry], Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_definitions", {item.letter: item for item in self.formula.where})

    def at(self, indices: Mapping[sp.Symbol, int]) -> Any:
        """The value with these free indices.

        Raises EvaluationError for a symbol or letter without a value and for a function outside the table.
        """
        return self._walk(self.formula.value, indices)

    def _walk(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        for kind, rule in _RULES.items():
            if isinstance(expr, kind):
                return rule(self, expr, indices)
        if type(expr) not in self.arithmetic.functions:
            raise EvaluationError(f"no value for {type(expr).__name__}: add it to the tables of bounds/written_out.py")
        return self.arithmetic.functions[type(expr)](*(self._walk(part, indices) for part in expr.args))

    def _number(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        return self.arithmetic.number(expr)

    def _symbol(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        if expr in indices:
            return self.arithmetic.number(sp.Integer(indices[expr]))
        if expr not in self.values:
            raise EvaluationError(f"the symbol {expr} has no value: give it one")
        return self.arithmetic.number(sp.sympify(self.values[expr]))

    def _entry(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        letter, at = letter_of(expr), tuple(self._integer(index, indices) for index in expr.indices)
        if letter in self._definitions:
            if (letter, at) not in self._known:
                definition = self._definitions[letter]
                inner: dict[Any, int] = dict(zip(definition.indices, at, strict=True))
                self._known[letter, at] = self._walk(definition.right, inner)
            return self._known[letter, at]
        if letter not in self.values or at not in self.values[letter]:
            raise EvaluationError(f"the entry {letter}{list(at)} has no value: give it one")
        return self.values[letter][at]

    def _add(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        return reduce(add, (self._walk(term, indices) for term in expr.args))

    def _multiply(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        return reduce(mul, (self._walk(factor, indices) for factor in expr.args))

    def _power(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        return self._walk(expr.base, indices) ** self._walk(expr.exp, indices)

    def _indexed_sum(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        return self._summed(expr.function, expr.limits, indices)

    def _summed(self, expr: Any, limits: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        """The last limit is the outermost sum."""
        if not limits:
            return self._walk(expr, indices)
        *inner, (index, first, last) = limits
        span = range(self._integer(first, indices), self._integer(last, indices) + 1)
        terms = (self._summed(expr, inner, {**indices, index: at}) for at in span)
        return reduce(add, terms, self.arithmetic.number(sp.Integer(0)))

    def _cases(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> Any:
        for case in expr.args:
            holds = case.cond.xreplace(self._integers(indices))
            if holds not in (sp.true, sp.false):
                raise EvaluationError(f"the condition {case.cond} is not decided: give its symbols integer values")
            if holds == sp.true:
                return self._walk(case.expr, indices)
        raise EvaluationError(f"no case of {expr} holds")

    def _integers(self, indices: Mapping[sp.Symbol, int]) -> dict[Any, Any]:
        sizes = {symbol: sp.Integer(value) for symbol, value in self.values.items() if isinstance(value, int)}
        return {**sizes, **{index: sp.Integer(at) for index, at in indices.items()}}

    def _integer(self, expr: Any, indices: Mapping[sp.Symbol, int]) -> int:
        if expr in indices:
            return indices[expr]
        value = expr.xreplace(self._integers(indices))
        if not value.is_Integer:
            raise EvaluationError(f"{expr} is {value}, not an integer: give its symbols integer values")
        return int(value)


_RULES: Mapping[type | tuple[type, ...], Callable[[WrittenOut, Any, Mapping[sp.Symbol, int]], Any]] = {
    sp.Indexed: WrittenOut._entry,
    sp.Symbol: WrittenOut._symbol,
    (sp.Number, sp.NumberSymbol): WrittenOut._number,
    sp.Add: WrittenOut._add,
    sp.Mul: WrittenOut._multiply,
    sp.Pow: WrittenOut._power,
    sp.Sum: WrittenOut._indexed_sum,
    sp.Piecewise: WrittenOut._cases,
}
