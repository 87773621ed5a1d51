"""Random polynomials, many of them zero on a face: whatever is answered is true at exactly computed points."""

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import event, given, settings
from hypothesis import strategies as st

from certify.inequality import Claim, Proved, Refuted, Segment, decide

x, y = sp.symbols("x y", real=True)
SQUARE = (Segment(x, 0, 1), Segment(y, 0, 1))
coefficients = st.lists(st.integers(-3, 3), min_size=6, max_size=6)
factors = st.sampled_from([sp.S.One, x, 1 - x, y, x * y, x**2, (1 - y) ** 2, x - y])
GRID = [Fraction(i, 6) for i in range(7)]


def value(expr: Any, point: tuple[Fraction, Fraction]) -> Any:
    return expr.subs({x: sp.Rational(str(point[0])), y: sp.Rational(str(point[1]))})


@settings(max_examples=60, deadline=None)
@given(coefficients, factors, st.booleans())
def test_answers_hold_at_exact_points(terms: list[int], factor: Any, strict: bool) -> None:
    monomials = (sp.S.One, x, y, x * y, x**2, y**2)
    expr = sp.expand(factor * sum(c * m for c, m in zip(terms, monomials, strict=True)))
    verdict = decide(Claim(expr, SQUARE, strict), budget=60)
    event(type(verdict).__name__)
    if isinstance(verdict, Proved):
        values = [value(expr, (a, b)) for a in GRID for b in GRID]
        assert all(v > 0 if strict else v >= 0 for v in values)
    if isinstance(verdict, Refuted):
        at_point = value(expr, (verdict.point[x], verdict.point[y]))
        assert at_point <= 0 if strict else at_point < 0
