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
EXACT = ("n", "d", "H", "h", "i")  # integers of the layer, and indices


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
    """The upper theorems that the checker can evaluate and whose map, norm and hypotheses it knows.

    It evaluates at upper ends only, so that every occurrence of every symbol has to pull the same way.
    """
    hypotheses = {UNMASKED, OUTPUT_PROJECTION}
    maps = ("softmax", "multi-head softmax", "attention sublayer", "differentiable map")
    known = (t for t in theorems() if (t.norm, t.kind) == ("l2", "upper") and t.map in maps and rises(t.expr))
    return {t.id: entry(t) for t in known if hypotheses.issuperset(t.hypotheses)}


def rises(expr: sp.Basic) -> bool:
    """Whether no occurrence of a symbol >= 0 can lower the expression, seen from its form alone.

    Differences stand in exponents only, so that every factor and every base is at least 0. The integers of the layer
    are exact and may stand anywhere where they leave nothing negative.
    """
    return _pull(expr) in (0, 1)


def _pull(expr: Any, signed: bool = False) -> int | None:
    """1 for rising in every occurrence, -1 for falling, 0 for none, None for both, unknown, or a sign not seen.

    `signed` allows a value below 0, as in an exponent.
    """
    if isinstance(expr, sp.Symbol) and str(expr) not in EXACT:
        return 1
    if isinstance(expr, sp.Indexed):
        return 1
    if not isinstance(expr, sp.Sum) and all(str(symbol) in EXACT for symbol in expr.free_symbols):
        return 0 if signed or _nonnegative(expr) else None
    if isinstance(expr, sp.Pow):
        pull = _pull(expr.base)
        return None if pull is None or not expr.exp.is_number else -pull if expr.exp.is_negative else pull
    if isinstance(expr, sp.exp):
        return _pull(expr.args[0], signed=True)
    if isinstance(expr, sp.Sum):
        return _pull(expr.function)
    if not isinstance(expr, (sp.Add, sp.Mul)):
        return None
    number = (
        sp.Mul(*(factor for factor in expr.args if factor.is_number)) if isinstance(expr, sp.Mul) else sp.Integer(1)
    )
    if isinstance(expr, sp.Mul):
        pulls = [_pull(factor) for factor in expr.args if not factor.is_number]
    else:
        pulls = [_pull(summand, signed) for summand in expr.args]
    if number.is_negative and not signed:
        return None
    found = set(pulls) - {0}
    if None in found or len(found) > 1:
        return None
    pull = found.pop() if found else 0
    return -pull if pull and number.is_negative else pull


def _nonnegative(expr: Any) -> bool:
    """Whether an expression in the layer's integers, each at least 1, shows no sign once they are written from 1 on."""
    shifted = expr.subs({symbol: symbol + 1 for symbol in expr.free_symbols})
    return all(term.as_coeff_Mul()[0] >= 0 for term in sp.Add.make_args(sp.expand(shifted)))


def text() -> str:
    """The file's content: one line a theorem."""
    lines = (f"{json.dumps(name)}: {json.dumps(data, sort_keys=True)}" for name, data in sorted(all_terms().items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="ascii")
