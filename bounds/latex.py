"""Theorems as LaTeX: the formula with the paper's letters, a theorem environment around it, the source's BibTeX."""

import re
from importlib.resources import files

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .notation import NOTATION
from .theorem import ATTENTION, Theorem

_ENTRY = re.compile(r"^@\w+\{([^,\s]+),.*?^\}$", re.MULTILINE | re.DOTALL)


def formula(theorem: Theorem) -> str:
    """The bound as LaTeX, no dollar signs."""
    names = {symbol: entry.latex for symbol, entry in NOTATION.items() if isinstance(symbol, sp.Symbol)}
    return LatexPrinter({"symbol_names": names}).doprint(theorem.expr)


def theorem_environment(theorem: Theorem) -> str:
    """`\\begin{theorem}` with title, statement, hypotheses, formula, the letters in it, and the source."""
    constant = r"\|D f(X)\|" if theorem.domain == "point" else r"\operatorname{Lip}(f)"
    relation = r"\le" if theorem.kind == "upper" else r"\ge"
    return "\n".join(
        (
            rf"\begin{{theorem}}[{theorem.title}]\label{{thm:{theorem.id}}}",
            theorem.statement,
            rf"Here {ATTENTION[theorem.attention]}.",
            *(f"Assume that {hypothesis.text}." for hypothesis in theorem.hypotheses),
            rf"\[ {constant} {relation} {formula(theorem)} \]",
            f"Letters: {_letters(theorem)}.",
            _source(theorem),
            "\\end{theorem}\n",
        )
    )


def references() -> dict[str, str]:
    """The entries of references.bib by key."""
    text = files("bounds").joinpath("references.bib").read_text(encoding="utf-8")
    return {entry[1]: entry[0] for entry in _ENTRY.finditer(text)}


def bibtex(theorem: Theorem) -> str | None:
    """The BibTeX entry of the theorem's source; None for a theorem that is new here."""
    return None if theorem.source == "new" else references()[theorem.source]


def _letters(theorem: Theorem) -> str:
    entries = (NOTATION[symbol] for symbol in theorem.symbols)
    return "; ".join(f"${entry.latex}$, {entry.meaning}" for entry in entries)


def _source(theorem: Theorem) -> str:
    where = "new" if theorem.source == "new" else rf"\cite{{{theorem.source}}}"
    return rf"Source: {where}. Proof: \texttt{{{theorem.proof}}}."
