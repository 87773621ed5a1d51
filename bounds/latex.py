"""Theorems as LaTeX: the formula with the paper's letters, and a theorem environment around it."""

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .notation import NOTATION
from .theorem import Theorem


def formula(theorem: Theorem) -> str:
    """The bound as LaTeX, no dollar signs."""
    names = {symbol: entry.latex for symbol, entry in NOTATION.items() if isinstance(symbol, sp.Symbol)}
    return LatexPrinter({"symbol_names": names}).doprint(theorem.expr)


def theorem_environment(theorem: Theorem) -> str:
    """`\\begin{theorem}` with title, statement, hypotheses, formula and source."""
    relation = r"\operatorname{Lip}(f) \le " if theorem.kind == "upper" else r"\operatorname{Lip}(f) \ge "
    assumed = "".join(f"\nAssume that {hypothesis.text}." for hypothesis in theorem.hypotheses)
    cited = "" if theorem.source == "new" else rf"~\cite{{{theorem.source}}}"
    return (
        rf"\begin{{theorem}}[{theorem.title}{cited}]\label{{thm:{theorem.id}}}"
        f"\n{theorem.statement}{assumed}\n\\[\n{relation}{formula(theorem)}\n\\]\n\\end{{theorem}}\n"
    )
