"""Theorems as LaTeX: the formula with the paper's letters, a theorem environment around it, the source's BibTeX."""

import re
from importlib.resources import files
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .maps import MAPS, NORMS
from .notation import NOTATION, R, beta, norm_A, norm_a, rho
from .theorem import Theorem

_ENTRY = re.compile(r"^@\w+\{([^,\s]+),.*?^\}$", re.MULTILINE | re.DOTALL)


# longer lines than this do not fit between the margins of a page
_LONGEST_LINE = 150
_WORTH_A_LETTER = 40
_RHO, _BETA = sp.symbols("rho beta", real=True)
_ABBREVIATIONS = r"Here $\rho = R^2 \|A\|$ and $\beta = R (R \|A\| + \|a\|)$."


def formula(theorem: Theorem) -> str:
    """The bound as LaTeX, no dollar signs."""
    return _printed(theorem.expr)


def abbreviated(theorem: Theorem) -> sp.Expr | None:
    """The bound in rho and beta; None where it is no function of the radius through these two."""
    letters: Any = theorem.expr.subs(beta, _BETA).subs(rho, _RHO)
    return letters if letters != theorem.expr and not letters.has(R, norm_A, norm_a) else None


def theorem_environment(theorem: Theorem) -> str:
    """`\\begin{theorem}` with title, statement, hypotheses, formula, the letters in it, and the source."""
    short = abbreviated(theorem)
    return "\n".join(
        (
            rf"\begin{{theorem}}[{theorem.title}]\label{{thm:{theorem.id}}}",
            theorem.statement,
            rf"Here {MAPS[theorem.map]}.",
            *(() if theorem.norm == "l2" else (f"{NORMS[theorem.norm]}.",)),
            *(f"Assume that {hypothesis.text}." for hypothesis in theorem.hypotheses),
            _display(_claimed(theorem), theorem.expr if short is None else short),
            *(() if short is None else (_ABBREVIATIONS,)),
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


def _claimed(theorem: Theorem) -> str:
    constant = r"\|D f(X)\|" if theorem.domain == "point" else r"\operatorname{Lip}(f)"
    relation = r"\le" if theorem.kind == "upper" else r"\ge"
    return f"{constant} {relation}"


def _printed(expr: sp.Basic) -> str:
    names = {symbol: entry.latex for symbol, entry in NOTATION.items() if isinstance(symbol, sp.Symbol)}
    return LatexPrinter({"symbol_names": names}).doprint(expr)


def _display(claimed: str, expr: sp.Expr) -> str:
    """One line, or one for each term of a long sum; parts that a long formula repeats get lines of their own."""
    if len(_printed(expr)) <= _LONGEST_LINE:
        return rf"\[ {claimed} {_printed(expr)} \]"
    if expr.is_Add:
        terms = " \\\\\n{} + ".join(_printed(term) for term in sp.Add.make_args(expr))
        return f"\\begin{{multline*}}\n{claimed} {terms}\n\\end{{multline*}}"
    parts, short = _repeated_parts(expr)
    lines = [rf"\[ {name} = {_printed(part)} \]" for name, part in parts]
    return "\n".join((rf"\[ {claimed} {_printed(short)} \]", *(("with",) if lines else ()), *lines))


def _repeated_parts(expr: sp.Expr) -> tuple[list[tuple[sp.Symbol, sp.Expr]], sp.Expr]:
    """What stands more than once in a formula and is worth a letter, and the formula with the letters."""
    result: Any = sp.cse(expr, symbols=sp.numbered_symbols("t_", start=1), order="canonical")
    found, (short,) = result
    small: dict[Any, Any] = {}
    kept: dict[Any, Any] = {}
    for name, part in found:
        whole = part.xreplace(small)
        (kept if len(_printed(whole)) >= _WORTH_A_LETTER else small)[name] = whole
    names = {name: sp.Symbol(f"t_{at}") for at, name in enumerate(kept, start=1)}
    return [(names[name], part.xreplace(names)) for name, part in kept.items()], short.xreplace(small).xreplace(names)


def _letters(theorem: Theorem) -> str:
    entries = (NOTATION[symbol] for symbol in theorem.symbols)
    return "; ".join(f"${entry.latex}$, {entry.meaning}" for entry in entries)


def _source(theorem: Theorem) -> str:
    where = "new" if theorem.source == "new" else rf"\cite{{{theorem.source}}}"
    path = theorem.proof.replace("/", r"/\allowbreak ").replace("-", r"-\allowbreak ")
    return rf"Source: {where}. Proof: \texttt{{{path}}}."
