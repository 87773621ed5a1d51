"""Is an expression zero for all values at or above given least values? SymPy says yes, or it counts as no."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from ..enclose import enclose
from ..errors import NoEnclosure

# Two points far from each other; an identity that SymPy believes must also hold there, up to rounding.
_PROBES = (Fraction(7, 5), Fraction(3, 11))


def vanishes(expr: sp.Expr, least: Mapping[sp.Symbol, sp.Rational] | None = None) -> bool:
    """Whether the expression is identically zero, by SymPy.

    Symbols are taken real, and above the least value where one is given. First the enclosures at two points must
    contain zero, which is cheap, settles nearly every no, and catches a wrong yes of SymPy's.
    """
    if not all(_may_vanish(expr, least or {}, probe) for probe in _PROBES):
        return False
    above: dict[Any, Any] = {
        symbol: bound + sp.Symbol(f"{symbol}_past", positive=True) for symbol, bound in (least or {}).items()
    }
    shifted: sp.Expr = expr.subs(above, simultaneous=True)
    return _is_zero(shifted)


def _is_zero(expr: sp.Expr) -> bool:
    """From the cheap to the dear: expansion, one fraction, squares drawn out of roots, everything SymPy knows."""
    if expr.is_zero or sp.expand(expr) == 0:
        return True
    drawn: Any = expr.replace(_is_root, _factored_root)
    if sp.expand(drawn) == 0 or sp.expand(sp.numer(sp.together(sp.powsimp(sp.expand(drawn))))) == 0:
        return True
    return sp.simplify(drawn) == 0


def _is_root(node: sp.Basic) -> bool:
    return isinstance(node, sp.Pow) and node.exp in (sp.S.Half, -sp.S.Half)


def _factored_root(node: sp.Expr) -> Any:
    inside: Any = sp.factor(sp.together(node.args[0]))
    return sp.powdenest(inside ** node.args[1])


def _may_vanish(expr: sp.Expr, least: Mapping[sp.Symbol, sp.Rational], probe: Fraction) -> bool:
    names = sorted((s for s in expr.free_symbols if isinstance(s, sp.Symbol)), key=str)
    point = {
        symbol: Fraction(str(least.get(symbol, sp.Integer(0)))) + probe * Fraction(i + 2, i + 1)
        for i, symbol in enumerate(names)
    }
    try:
        value = enclose(expr, point)
    except NoEnclosure:
        return True
    return value.lower <= 0 <= value.upper
