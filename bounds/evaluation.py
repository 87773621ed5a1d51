"""Plain numbers for an expression: an estimate to many digits, since nothing is enclosed.

`certify.enclose` is the reader that proves something about the value.
"""

from collections.abc import Mapping, Sequence
from numbers import Rational
from typing import Any

import sympy as sp

from .errors import EvaluationError
from .notation import NOTATION, H, LetterLike

Number = int | float | Rational | sp.Rational
Values = Mapping[LetterLike, Number | Sequence[Number]]

Exact = dict[Any, Any]  # narrower types do not match the overloads of subs

DIGITS = 30


def evaluate(expr: sp.Expr, values: Values) -> sp.Float:
    """The expression to 30 digits; floats are taken as the doubles they are, and L[1] is the first entry of L.

    Raises EvaluationError for a symbol without a value, and for a value that is no finite number or lies below the
    least value that the notation gives its symbol.
    """
    plain: Exact = {symbol: _exact(symbol, value) for symbol, value in values.items() if isinstance(symbol, sp.Symbol)}
    indexed: Exact = {
        base[index]: _exact(base, entry)
        for base, entries in values.items()
        if isinstance(base, sp.IndexedBase)
        for index, entry in enumerate(_entries(base, entries, values.get(H)), start=1)
    }
    result = expr.subs(plain).doit().subs(indexed)
    if result.free_symbols:
        missing = ", ".join(sorted({str(s) for s in result.free_symbols}))
        raise EvaluationError(f"no value given for {missing}")
    return sp.N(result, DIGITS)


def _entries(base: sp.IndexedBase, entries: object, heads: object) -> Sequence[object]:
    if isinstance(entries, str) or not isinstance(entries, Sequence):
        raise EvaluationError(f"{base} = {entries!r} is not a sequence: give one number per head")
    if heads is not None and len(entries) != heads:
        raise EvaluationError(f"{base} has {len(entries)} entries and H = {heads}: give one number per head")
    return entries


def _exact(symbol: LetterLike, value: object) -> sp.Rational:
    """The value as the rational number it is."""
    try:
        if isinstance(value, bool) or not isinstance(value, (float, Rational, sp.Rational)):
            raise TypeError
        exact: Any = sp.Rational(*value.as_integer_ratio()) if isinstance(value, float) else sp.Rational(value)
    except (TypeError, ValueError, OverflowError):  # nan and infinities have no ratio
        raise EvaluationError(
            f"{symbol} = {value!r} is not a finite number: give an int, a float or a fraction"
        ) from None
    least = NOTATION[symbol].least
    if not exact >= least:
        raise EvaluationError(f"{symbol} = {value} is below {least}, the least value of: {NOTATION[symbol].meaning}")
    return exact
