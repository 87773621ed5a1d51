"""The theorems' expressions as JSON terms, which the checker evaluates without SymPy.

`python -m certify.terms` writes `theorem_terms.json`; a test compares the file with the theorems. The grammar is that
of `checker/terms.py`.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sympy as sp

from bounds import Theorem, theorems
from bounds.hypotheses import OUTPUT_PROJECTION, UNMASKED
from bounds.notation import NOTATION

from .errors import CertificateError

FILE = Path(__file__).with_name("theorem_terms.json")

Term = list[Any]


def term(expr: sp.Basic) -> Term:
    """The expression as nested lists.

    Raises:
        CertificateError: a node that the checker does not know.
    """
    for kind, write in WRITERS.items():
        if isinstance(expr, kind):
            return write(expr)
    raise CertificateError(f"{type(expr).__name__} in {expr} has no term: add it here and in checker/terms.py")


def _sum(expr: sp.Sum) -> Term:
    ((index, first, last),) = expr.limits
    return ["sum", str(index), term(first), term(last), term(expr.function)]


def _indexed(expr: sp.Indexed) -> Term:
    (index,) = expr.indices
    return ["indexed", str(expr.base), str(index)]


def _call(name: str) -> Callable[[Any], Term]:
    return lambda expr: [name, *map(term, expr.args)]


WRITERS: Mapping[type, Callable[[Any], Term]] = {
    sp.Rational: lambda expr: ["number", str(expr)],
    sp.Indexed: _indexed,
    sp.Symbol: lambda expr: ["symbol", str(expr)],
    sp.Sum: _sum,
    sp.Add: _call("add"),
    sp.Mul: _call("mul"),
    sp.Pow: _call("pow"),
    sp.exp: _call("exp"),
    sp.log: _call("log"),
}


def entry(theorem: Theorem) -> dict[str, Any]:
    """What the checker knows about one theorem.

    Raises:
        CertificateError: a symbol may be negative; the checker lets every real symbol range down to zero.
    """
    negative = [str(symbol) for symbol in theorem.symbols if NOTATION[symbol].least < 0]
    if negative:
        raise CertificateError(f"{theorem.id}: {', '.join(negative)} may be negative, which the checker excludes")
    return {
        "kind": theorem.kind,
        "domain": theorem.domain,
        "unmasked": UNMASKED in theorem.hypotheses,
        "symbols": [str(symbol) for symbol in theorem.symbols],
        "term": term(theorem.expr),
    }


def all_terms() -> dict[str, Any]:
    """Every theorem by id whose attention, norm and hypotheses the checker knows; it refuses the others as unknown."""
    hypotheses, attentions = {UNMASKED, OUTPUT_PROJECTION}, ("softmax", "multi-head softmax")
    known = (t for t in theorems() if t.norm == "l2" and t.attention in attentions)
    return {t.id: entry(t) for t in known if hypotheses.issuperset(t.hypotheses)}


def text() -> str:
    """The file's content: one line a theorem."""
    lines = (f"{json.dumps(name)}: {json.dumps(data, sort_keys=True)}" for name, data in sorted(all_terms().items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="ascii")
