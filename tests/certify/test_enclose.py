"""The bridge from symbols to numbers: what comes out holds the true value, and what is unknown is refused by name."""

import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp
from hypothesis import event, given, settings
from hypothesis import strategies as st

from certify.arithmetic.arb import ARB
from certify.arithmetic.interval import Interval
from certify.arithmetic.reference import REFERENCE
from certify.arithmetic.scalars import Engine
from certify.enclose import _PI, _PI_SCALE, enclose
from certify.errors import NoEnclosure

every_engine = pytest.mark.parametrize("engine", [pytest.param(engine, id=engine.name) for engine in (ARB, REFERENCE)])
x, y, n, R, H, h, k = sp.symbols("x y n R H h k", real=True)
norm_A, norm_a, norm_V = sp.symbols("norm_A norm_a norm_V", real=True)
L: Any = sp.IndexedBase("L")

# the shape of the bounds this package evaluates: 45 nodes, every operand nonnegative
BETA = R * (R * norm_A + norm_a)
FORMULA = norm_V * (R**2 * norm_A + sp.sqrt(1 + BETA**2) * sp.sqrt(n / (1 + (n - 1) * sp.exp(-2 * BETA))))


def true_value(expr: sp.Expr, point: dict[sp.Symbol, Fraction]) -> Any:
    """270 digits by a second route: SymPy's printer and mpmath's plain numbers."""
    with mpmath.workprec(900):
        numbers = [mpmath.mpf(value.numerator) / value.denominator for value in point.values()]
        return mpmath.mpf(sp.lambdify(list(point), expr, "mpmath")(*numbers))


def assert_holds(interval: Interval, value: Any) -> None:
    slack = abs(value) * mpmath.mpf(2) ** -800  # the rounding of the true value itself; an exact double needs it
    assert interval.lower - slack <= value <= interval.upper + slack


# --- random expressions


def grown(parts: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
    """Every node class of the table; exp only of nonpositive arguments, for towers would reach too far."""
    pairs = st.tuples(parts, parts)
    exponents = st.sampled_from([2, 3, -1, -2, *map(sp.Rational, ("1/2", "-1/2", "3/4", "1/3", "-5/3"))])
    return st.one_of(
        pairs.map(lambda pair: pair[0] + pair[1]),
        pairs.map(lambda pair: pair[0] - pair[1]),
        pairs.map(lambda pair: pair[0] * pair[1]),
        pairs.map(lambda pair: pair[0] / (1 + pair[1] ** 2)),
        pairs.map(lambda pair: sp.Max(*pair)),
        pairs.map(lambda pair: sp.Min(*pair)),
        parts.map(lambda part: sp.exp(-(part**2))),
        parts.map(lambda part: sp.log(1 + part**2)),
        parts.map(lambda part: sp.sqrt(1 + part**2)),
        parts.map(sp.Abs),
        st.tuples(parts, exponents).map(lambda pair: (1 + sp.Abs(pair[0])) ** pair[1]),
    )


leaves = st.one_of(
    st.sampled_from([x, y, sp.pi, sp.E, sp.Rational(1, 3), sp.exp(x)]), st.integers(-5, 5).map(sp.Integer)
)
expressions = st.recursive(leaves, grown, max_leaves=6)
values = st.one_of(st.integers(-8, 8).map(Fraction), st.fractions(-8, 8, max_denominator=1000))
doubles = st.floats(-8, 8)


@every_engine
@settings(max_examples=300)
@given(expr=expressions, a=values, b=values)
def test_points_are_enclosed(engine: Engine, expr: sp.Expr, a: Fraction, b: Fraction) -> None:
    try:
        interval = enclose(expr, {x: a, y: b}, engine)
    except NoEnclosure as refusal:  # a huge value, or a divisor that SymPy made 0
        event(f"refused: {str(refusal)[:20]}")
        return
    assert_holds(interval, true_value(expr, {x: a, y: b}))


@settings(max_examples=300)
@given(expr=expressions, first=st.tuples(doubles, doubles, doubles), second=st.tuples(doubles, doubles, doubles))
def test_points_inside_an_interval_environment_are_enclosed(
    expr: sp.Expr, first: tuple[float, ...], second: tuple[float, ...]
) -> None:
    environment = {x: Interval(min(first), max(first)), y: Interval(min(second), max(second))}
    found = []
    for engine in (ARB, REFERENCE):
        try:
            found.append(enclose(expr, environment, engine))
        except NoEnclosure as refusal:
            event(f"refused: {str(refusal)[:20]}")
    for interval in found:
        for a, b in zip(first, second, strict=True):
            assert_holds(interval, true_value(expr, {x: Fraction(a), y: Fraction(b)}))
    if len(found) == 2:
        assert max(found[0].lower, found[1].lower) <= min(found[0].upper, found[1].upper)


@every_engine
def test_random_expressions_are_seldom_refused(engine: Engine) -> None:
    """Else the two tests above would test nothing."""
    refusals = []

    @given(expr=expressions)
    def count(expr: sp.Expr) -> None:
        try:
            enclose(expr, {x: Fraction(1, 3), y: -2}, engine)
            refusals.append(False)
        except NoEnclosure:
            refusals.append(True)

    count()
    assert sum(refusals) <= len(refusals) / 10


# --- the formulas themselves

positive = st.floats(0, 3)
pairs_of_positive = st.tuples(positive, positive)


@every_engine
@given(st.lists(pairs_of_positive, min_size=4, max_size=4), st.lists(pairs_of_positive, min_size=4, max_size=4))
def test_a_smaller_environment_gives_a_smaller_enclosure(
    engine: Engine, outer: list[tuple[float, float]], inner: list[tuple[float, float]]
) -> None:
    """Up to the last double: Arb's rounding at 192 bits is not monotone, and a double can lie just there."""
    symbols = (R, norm_A, norm_a, norm_V)
    wide = {s: Interval(min(*o, *i), max(*o, *i)) for s, o, i in zip(symbols, outer, inner, strict=True)}
    narrow = {s: Interval(min(i), max(i)) for s, i in zip(symbols, inner, strict=True)}
    large, small = enclose(FORMULA, {**wide, n: 64}, engine), enclose(FORMULA, {**narrow, n: 64}, engine)
    assert math.nextafter(large.lower, -math.inf) <= small.lower
    assert small.upper <= math.nextafter(large.upper, math.inf)


@every_engine
def test_the_compact_formula_at_a_known_point(engine: Engine) -> None:
    value = enclose(FORMULA, {n: 64, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, engine)
    assert_holds(
        value,
        true_value(FORMULA, dict.fromkeys((R, norm_A, norm_V), Fraction(1)) | {n: Fraction(64), norm_a: Fraction(0)}),
    )
    assert 4.66561 < value.lower <= value.upper < 4.66562
    assert math.nextafter(value.lower, 5) == value.upper


@every_engine
@pytest.mark.parametrize(
    ("expr", "environment", "value"),
    [
        (x**2 + y * 3 - 7, {x: 2**20, y: -5}, 2.0**40 - 22),
        (sp.sqrt(x), {x: 49}, 7.0),
        (x ** sp.Rational(3, 4), {x: 16}, 8.0),
        (x ** sp.Rational(-1, 2), {x: 4}, 0.5),
        (2**n, {n: 10}, 1024.0),
        ((-3) ** n, {n: 3}, -27.0),
        (x**n, {x: Fraction(1, 2), n: -2}, 4.0),
        (sp.Max(x, y, 0), {x: -1, y: 3}, 3.0),
        (sp.Min(x, y, 5), {x: -1, y: 3}, -1.0),
        (sp.Abs(x), {x: -4}, 4.0),
        (sp.exp(x) + sp.log(y), {x: 0, y: 1}, 1.0),
        (x, {x: Interval.point(0.1)}, 0.1),
        (sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H))), {L: [3, 4], H: 2}, 5.0),
        (sp.Sum(L[h] * h, (h, 1, H)), {L: (10, Interval.point(20.0), Fraction(30)), H: 3}, 140.0),
        (sp.Sum(L[h + 1], (h, 1, H - 1)), {L: [1, 2, 4], H: 3}, 6.0),
        (sp.Sum(h * k, (k, 1, h), (h, 1, H)), {H: 3}, 25.0),
        (sp.Sum(x, (h, 1, H)), {x: 5, H: 0}, 0.0),
        (x + sp.Sum(x, (x, 1, 3)), {x: 100}, 106.0),
    ],
)
def test_exact_values_stay_exact(engine: Engine, expr: sp.Expr, environment: Any, value: float) -> None:
    assert enclose(expr, environment, engine) == Interval.point(value)


@every_engine
@pytest.mark.parametrize(("constant", "digits"), [(sp.pi, "pi"), (sp.E, "e")])
def test_constants(engine: Engine, constant: sp.Expr, digits: str) -> None:
    """Scaled up, so that the 40th digit counts."""
    interval = enclose(constant * 10**40 - sp.Integer(int(constant * 10**40)), {}, engine)
    with mpmath.workprec(900):
        assert_holds(interval, mpmath.frac(getattr(mpmath, digits) * mpmath.mpf(10) ** 40))
    assert interval.upper - interval.lower < 1e-15


def test_the_stored_digits_of_pi_are_its_first_ones() -> None:
    with mpmath.workprec(900):
        assert _PI < mpmath.pi * _PI_SCALE < _PI + 1


@every_engine
def test_absolute_values_of_intervals_are_not_negative(engine: Engine) -> None:
    assert enclose(sp.Abs(x), {x: Interval(-2, 1)}, engine) == Interval(0, 2)


@every_engine
def test_the_dependency_problem_is_accepted(engine: Engine) -> None:
    assert enclose(sp.Add(x, sp.Mul(-1, y)), {x: Interval(0, 1), y: Interval(0, 1)}, engine) == Interval(-1, 1)
    assert enclose(x**2 - x, {x: Interval(0, 1)}, engine) == Interval(-1, 1)


# --- overflow is refused, vanishing exponentials are not


@every_engine
@pytest.mark.parametrize("argument", [710, 10**6])
def test_overflow_is_refused(engine: Engine, argument: int) -> None:
    with pytest.raises(NoEnclosure, match="overflows a double"):
        enclose(sp.exp(x), {x: argument}, engine)


@every_engine
@pytest.mark.parametrize("exponent", [-800, -(10**6)])
def test_a_vanishing_exponential_keeps_the_bound(engine: Engine, exponent: int) -> None:
    for expr, limit in [(1 / (1 + sp.exp(x)), 1), (n / (1 + (n - 1) * sp.exp(x)), 64)]:
        interval = enclose(expr, {x: exponent, n: 64}, engine)
        assert interval.lower <= limit <= interval.upper
        assert interval.upper - interval.lower <= 4 * math.ulp(float(limit))


# --- refusals name the offending thing


@pytest.mark.parametrize(
    ("expr", "environment", "message"),
    [
        (sp.sin(x), {x: 1}, r"no rule to enclose sin \(in sin\(x\)\)"),
        (1 + sp.gamma(x), {x: 1}, r"no rule to enclose gamma"),
        (sp.Piecewise((x, x > 0), (0, True)), {x: 1}, "no rule to enclose Piecewise"),
        (sp.I * x, {x: 1}, "no rule to enclose ImaginaryUnit"),
        (x + sp.Float(0.5), {x: 1}, r"Float 0\.5.* is no exact finite number: write an Integer or a Rational"),
        (sp.nan, {}, "NaN nan is no exact finite number"),
        (sp.oo, {}, "Infinity oo is no exact finite number"),
        (sp.zoo + x, {x: 1}, "ComplexInfinity zoo is no exact finite number"),
        (x - sp.oo, {x: 1}, "NegativeInfinity -oo is no exact finite number"),
        (x + y, {x: 1}, "y has no value: add it to the environment"),
        (sp.Symbol("x") + 1, {x: 1}, "x has no value: add it to the environment, with the assumptions"),
        (x, {x: 0.5}, "x is a float: give an int, a Fraction or an Interval"),
        (x, {x: [1]}, "x is a list: give an int"),
        (x, {x: sp.Integer(7)}, "x is a Integer: give an int"),
        (L[1], {}, "L has no value"),
        (L[1], {L: 3}, "L is a int: give a sequence, whose first entry has index 1"),
        (L[1], {L: [0.5]}, r"L\[1\] is a float"),
        (L[0], {L: [1, 2]}, r"L\[0\] does not exist: the indices go from 1 to 2"),
        (L[h], {L: [1, 2], h: 3}, r"L\[3\] does not exist"),
        (L[h], {L: [1, 2], h: Interval(1, 2)}, "the index h is not one exact integer: give an int"),
        (L[h], {L: [1, 2], h: Fraction(3, 2)}, "the index h is not one exact integer"),
        (L[1, 2], {L: [1, 2]}, r"L\[1, 2\] has 2 indices"),
        (sp.Sum(h, (h, 1, H)), {H: Interval(1, 2)}, "the last index H is not one exact integer"),
        (sp.Sum(h, (h, H, 3)), {H: Fraction(1, 2)}, "the first index H is not one exact integer"),
        (sp.Sum(h, (h, 1, sp.oo)), {}, "Infinity oo is no exact"),
        (sp.Sum(h, (h, 3, H)), {H: 1}, "the sum over h from 3 to 1 runs backwards"),
        (1 / x, {x: 0}, r"division by \[0\.0, 0\.0\], which contains 0"),
        (sp.sqrt(x), {x: -1}, r"sqrt of \[-1\.0, -1\.0\], which is not proved nonnegative"),
        (sp.log(x), {x: Interval(0, 1)}, r"log of \[0\.0, 1\.0\], which is not positive"),
        (x ** sp.Rational(1, 3), {x: -8}, "log of"),
        (x**y, {x: -2, y: Fraction(1, 2)}, "log of"),
    ],
)
@every_engine
def test_refusals(engine: Engine, expr: sp.Expr, environment: Any, message: str) -> None:
    with pytest.raises(NoEnclosure, match=message):
        enclose(expr, environment, engine)


def test_a_subclass_of_a_known_node_is_not_taken_for_it() -> None:
    class Strange(sp.exp):
        pass

    with pytest.raises(NoEnclosure, match="no rule to enclose Strange"):
        enclose(Strange(x, evaluate=False), {x: 1})


def test_a_sum_too_long_to_add_up() -> None:
    i = sp.Symbol("i", integer=True)
    long: Any = sp.Sum(1 / i, (i, 1, 10**9))
    with pytest.raises(NoEnclosure, match="the sum over i has 1000000000 terms: more than 50000 are not added up"):
        enclose(long, {})
