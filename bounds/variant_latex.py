"""Variants as LaTeX: the map, its derivative in closed form, and every letter that either of them defines."""

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .formula import Definition, Formula
from .variant import Variant

# longer sums than this do not fit between the margins of a page
_LONGEST_LINE = 150


class _Printer(LatexPrinter):
    """Entries as `X_{i u}` with plain commas, and the indicator of a condition as that condition in brackets."""

    def _print_Indexed(self, expr: Any) -> str:
        return f"{self._letter(str(expr.base.label))}_{{{','.join(self._print(index) for index in expr.indices)}}}"

    def _print_Piecewise(self, expr: Any) -> str:
        (value, condition), *others = expr.args
        if value == 1 and others == [sp.functions.elementary.piecewise.ExprCondPair(0, True)]:
            return rf"\left[ {self._print(condition)} \right]"
        return super()._print_Piecewise(expr)

    def _letter(self, name: str) -> str:
        """`d` and a Greek name as LaTeX; a name with an upper index keeps it in braces, since a lower one follows."""
        stem, _, upper = name.partition("^")
        printed = self._print(sp.Symbol(stem)) if "{" not in stem else stem.replace("kappa", r"\kappa")
        return f"{printed}^{{{upper}}}" if upper else printed
