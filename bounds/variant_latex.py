"""Variants as LaTeX: the map, its derivative in closed form, and every letter that either of them defines."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .formula import Definition
from .variant import Variant

_BRACKET = re.compile(r"\\left\(\\left\[ ([^\[\]]*) \\right\]\\right\)")
_BRACKETS_MEAN = r"A condition in brackets is $1$ where it holds and $0$ elsewhere."


class _Printer(LatexPrinter):
    """Entries with commas between the indices, sums one by one, and indicators as conditions in brackets."""

    def _print_Indexed(self, expr: Any) -> str:
        return f"{self._letter(str(expr.base.label))}_{{{','.join(self._print(index) for index in expr.indices)}}}"

    def _letter(self, name: str) -> str:
        """A Greek name as LaTeX; an upper index in braces, since a lower one follows."""
        stem, _, upper = re.sub(r"(?<!\\)kappa", r"\\kappa", name).partition("^")
        printed = stem if "\\" in stem else self._print(sp.Symbol(stem))
        return f"{printed}^{{{upper}}}" if upper else printed

    def _print_Sum(self, expr: Any) -> str:
        limits = (rf"\sum_{{{self._print(index)}=1}}^{{{self._print(last)}}}" for index, _, last in expr.limits[::-1])
        term = self._print(expr.function)
        return f"{' '.join(limits)} " + (rf"\left({term}\right)" if expr.function.is_Add else term)

    def _print_Piecewise(self, expr: Any) -> str:
        (value, condition), *others = ((case.expr, case.cond) for case in expr.args)
        if others != [(0, True)]:
            return super()._print_Piecewise(expr)
        bracket = rf"\left[ {self._print(condition)} \right]"
        return bracket if value == 1 else f"{bracket} {self._print(value)}"

    def _print_Heaviside(self, expr: Any, exp: Any = None) -> str:
        return rf"\left[ {self._print(expr.args[0])} > 0 \right]"


def map_equation(variant: Variant) -> str:
    """`f(X)_{i,u} = ...`, no dollar signs."""
    return f"f({_names(variant.inputs)})_{{{_names(variant.output)}}} = {_printed(variant.map.value)}"


def derivative_equation(variant: Variant) -> str:
    """`D f(X)[E]_{i,u} = ...`, no dollar signs."""
    at = f"D f({_names(variant.inputs)})[{_names(variant.inputs.values())}]"
    return f"{at}_{{{_names(variant.output)}}} = {_printed(variant.closed_form.value)}"


def definitions(variant: Variant) -> tuple[list[str], list[str]]:
    """The equations of the letters in the map, and of those that only the derivative has."""
    return _equations(variant.map.where), _equations(variant.closed_form.where)


def paragraph(variant: Variant) -> str:
    """A LaTeX paragraph with title, statement, map, derivative, letters, hypotheses and note."""
    of_map, of_derivative = definitions(variant)
    lines = [
        rf"\paragraph{{{variant.title}.}}",
        variant.statement,
        *_display([map_equation(variant)]),
        *_where("Here", of_map),
        f"The derivative{_moves(variant)} is",
        *_display([derivative_equation(variant)]),
        *_where("with", of_derivative),
        *(f"Assume that {hypothesis}." for hypothesis in variant.hypotheses),
        variant.note,
    ]
    if any(r"\left[" in line for line in lines):
        lines.append(_BRACKETS_MEAN)
    return "\n".join(line for line in lines if line) + "\n"


def _moves(variant: Variant) -> str:
    moves = (f"${_printed(at.label)}$ moves along ${_printed(to.label)}$" for at, to in variant.inputs.items())
    return f", as {' and '.join(moves)},"


def _where(word: str, equations: list[str]) -> Iterator[str]:
    if equations:
        yield word
        yield from _display(equations)


def _display(equations: list[str]) -> Iterator[str]:
    yield r"\begin{gather*}"
    yield " \\\\\n".join(equations)
    yield r"\end{gather*}"


def _equations(where: Iterable[Definition]) -> list[str]:
    return [f"{_printed(definition.left)} = {_printed(definition.right)}" for definition in where]


def _names(letters: Iterable[Any]) -> str:
    return ",".join(_printed(letter) for letter in letters)


def _printed(expr: Any) -> str:
    return _BRACKET.sub(r"\\left[ \1 \\right]", _Printer().doprint(expr))
