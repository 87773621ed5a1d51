"""Both engines keep the one contract: the true value lies inside, and little else does."""

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.arithmetic.arb import ARB
from certify.arithmetic.interval import Interval
from certify.arithmetic.reference import REFERENCE
from certify.arithmetic.scalars import Engine, Scalar
from certify.errors import NoEnclosure

ENGINES = [pytest.param(engine, id=engine.name) for engine in (ARB, REFERENCE)]
TRUTH: Any = mpmath.MPContext()
TRUTH.prec = 900  # 270 digits, far beyond the 192 and 256 bits of the engines
every_engine = pytest.mark.parametrize("engine", ENGINES)

doubles = st.floats(allow_nan=False, allow_infinity=False)
exact_numbers = st.one_of(
    doubles, st.integers(-(2**300), 2**300), st.fractions(max_denominator=10**30), st.sampled_from([0, 1, -1, 5e-324])
)


def ends_exactly(x: Scalar) -> tuple[Fraction, Fraction]:
    (low, e), (high, f) = x.ends()
    return Fraction(low) * Fraction(2) ** e, Fraction(high) * Fraction(2) ** f


def assert_encloses(x: Scalar, truth: Any) -> None:
    """The end points themselves, before they are rounded to doubles: most errors would hide in that rounding."""
    lower, upper = (TRUTH.ldexp(TRUTH.mpf(mantissa), exponent) for mantissa, exponent in x.ends())
    assert lower <= truth <= upper


# --- hard cases, and random doubles around them


def spread(seed: int, count: int) -> Iterator[float]:
    """Doubles of every size, uniform in the exponent, positive and negative, subnormals included."""
    source = random.Random(seed)
    for _ in range(count):
        yield source.choice((-1, 1)) * math.ldexp(source.random(), source.randint(-1074, 9))


def exp_arguments(count: int) -> Iterator[float]:
    source = random.Random(1)
    yield from (float(k) for k in range(-745, 710))  # exact integers
    yield from (0.0, -0.0, 5e-324, -5e-324, 709.782712893384, -745.1332191019412, -1e6, -1e18, -1e19, -1e300, -1.7e308)
    yield from ((2 * k + 1) * 2.0**-53 for k in range(-20, 20))  # exp x is x^2/2 beside the middle of two doubles
    yield from spread(2, count // 4)
    yield from (source.uniform(4, 8) for _ in range(count // 2))  # where mpmath.iv.exp fails
    yield from (source.uniform(-1e-3, 1e-3) for _ in range(count // 16))
    yield from (source.uniform(709, 709.78) for _ in range(count // 16))
    yield from (source.uniform(-746, -744) for _ in range(count // 16))
    yield from (source.uniform(-746, 709.78) for _ in range(count // 16))


def positive_arguments(count: int) -> Iterator[float]:
    source = random.Random(3)
    yield from (1.0, math.nextafter(1, 0), math.nextafter(1, 2), math.e, 5e-324, 2.2250738585072014e-308, 1.7e308, 2.0)
    yield from (1 + k * 2.0**-52 for k in range(-20, 20))
    yield from (float((2**26 + k) ** 2 + 1) for k in range(40))  # roots near doubles
    yield from (float((2**26 + k) ** 2) for k in range(40))  # exact roots
    yield from (math.ldexp(1 + source.random(), source.randint(-1074, 1022)) for _ in range(count // 2))
    yield from (source.uniform(0.5, 2) for _ in range(count // 2))


FUNCTIONS = [
    pytest.param("exp", TRUTH.exp, exp_arguments, id="exp"),
    pytest.param("log", TRUTH.log, positive_arguments, id="log"),
    pytest.param("sqrt", TRUTH.sqrt, positive_arguments, id="sqrt"),
]


def sweep(function: str, truth: Callable[[Any], Any], arguments: Iterator[float]) -> None:
    for argument in arguments:
        value = truth(TRUTH.mpf(argument))
        for engine in (ARB, REFERENCE):
            enclosure = getattr(engine, function)(engine.number(argument))
            assert_encloses(enclosure, value)
            bounds = engine.bounds(enclosure)
            assert bounds.lower <= value <= bounds.upper
            assert bounds.upper <= math.nextafter(math.nextafter(bounds.lower, math.inf), math.inf)


@pytest.mark.parametrize(("function", "truth", "arguments"), FUNCTIONS)
def test_functions_enclose_the_true_value(function: str, truth: Any, arguments: Any) -> None:
    sweep(function, truth, arguments(5_000))


@pytest.mark.slow
@pytest.mark.parametrize(("function", "truth", "arguments"), FUNCTIONS)
def test_functions_enclose_the_true_value_on_many_doubles(function: str, truth: Any, arguments: Any) -> None:
    sweep(function, truth, arguments(100_000))


@every_engine
@pytest.mark.parametrize("function", ["exp", "log", "sqrt"])
@pytest.mark.parametrize("argument", [4.5, 0.3, 700.0, Fraction(1, 3), 1 + 2**-40, 10**6 + 1])
def test_functions_are_tight_at_a_point(engine: Engine, function: str, argument: Any) -> None:
    """Far more than a double needs; the widening by an outward-rounded 1/3 included."""
    if function == "exp" and argument > 1000:
        argument = -argument
    (low, e), (high, f) = getattr(engine, function)(engine.number(argument)).ends()
    lower, upper = TRUTH.ldexp(TRUTH.mpf(low), e), TRUTH.ldexp(TRUTH.mpf(high), f)
    assert upper - lower <= abs(upper) * TRUTH.mpf(2) ** -140


@every_engine
@pytest.mark.parametrize(("function", "ends"), [("exp", (-1.5, 3.0)), ("log", (0.1, 9.0)), ("sqrt", (0.0, 2.0))])
def test_functions_map_wide_intervals_onto_their_images(engine: Engine, function: str, ends: Any) -> None:
    image = engine.bounds(getattr(engine, function)(engine.number(*ends)))
    points = [engine.bounds(getattr(engine, function)(engine.number(end))) for end in ends]
    assert image == Interval(points[0].lower, points[-1].upper)


# --- the four operators, against exact fractions


@every_engine
@given(st.data())
def test_operators_enclose_the_exact_result(engine: Engine, data: st.DataObject) -> None:
    """A point of each interval goes in, so its result must come out; with operands as ints as well."""
    left, right = (data.draw(st.lists(exact_numbers, min_size=1, max_size=3)) for _ in range(2))
    a, b = Fraction(left[0]), Fraction(right[0])
    x, y = engine.number(min(left), max(left)), engine.number(min(right), max(right))
    results = [
        (x + y, a + b),
        (x - y, a - b),
        (x * y, a * b),
        (-x, -a),
        (x + 3, a + 3),
        (3 - x, 3 - a),
        (x * -7, a * -7),
    ]
    if not min(right) <= 0 <= max(right):
        results += [(x / y, a / b), (5 / y, 5 / b), (x / 5, a / 5)]
    results.append((engine.maximum(x, y), max(a, b)))
    results += [(engine.power(x, exponent), a**exponent) for exponent in (0, 1, 2, 3, 6)]
    for enclosure, truth in results:
        lower, upper = ends_exactly(enclosure)
        assert lower <= truth <= upper


@every_engine
@given(st.integers(-(2**60), 2**60), st.integers(-(2**60), 2**60))
def test_integers_stay_exact(engine: Engine, a: int, b: int) -> None:
    x, y = engine.number(a), engine.number(b)
    for enclosure, truth in [(x + y, a + b), (x - y, a - b), (x * y, a * b), (-x, -a), (engine.power(x, 3), a**3)]:
        assert ends_exactly(enclosure) == (truth, truth)


@every_engine
@given(st.fractions(min_value=0, max_denominator=10**20))
def test_sqrt_encloses_by_its_square(engine: Engine, value: Fraction) -> None:
    lower, upper = ends_exactly(engine.sqrt(engine.number(value)))
    assert lower >= 0
    assert lower**2 <= value <= upper**2
    assert upper - lower <= upper * Fraction(1, 2**180)


@every_engine
@given(doubles, doubles)
def test_intervals_of_doubles_come_back_exactly(engine: Engine, a: float, b: float) -> None:
    low, high = min(a, b), max(a, b)
    assert engine.bounds(engine.number(low, high)) == Interval(low, high)


@every_engine
def test_bounds_are_the_neighbouring_doubles(engine: Engine) -> None:
    third = engine.bounds(engine.number(Fraction(1, 3)))
    assert Fraction(third.lower) < Fraction(1, 3) < Fraction(third.upper)
    assert math.nextafter(third.lower, 1) == third.upper


@every_engine
def test_operators_are_tight_at_a_point(engine: Engine) -> None:
    lower, upper = ends_exactly((engine.number(1) / 3 + engine.number(0.1)) * engine.number(7, 7) - 2)
    assert upper - lower <= Fraction(1, 2**180)


@every_engine
@pytest.mark.parametrize(
    ("ends", "exponent", "image"),
    [
        ((-1, 2), 2, (0, 4)),
        ((-2, -1), 3, (-8, -1)),
        ((-3, -2), 2, (4, 9)),
        ((0, 1), 2, (0, 1)),
        ((2, 4), -2, (0.0625, 0.25)),
    ],
)
def test_powers_of_intervals(engine: Engine, ends: Any, exponent: int, image: Any) -> None:
    assert engine.bounds(engine.power(engine.number(*ends), exponent)) == Interval(*map(float, image))


@every_engine
def test_exact_zeros_and_ones(engine: Engine) -> None:
    zero, one = engine.number(0), engine.number(1)
    assert engine.bounds(engine.sqrt(zero)) == Interval(0.0, 0.0)
    assert engine.bounds(engine.exp(zero)) == Interval(1.0, 1.0)
    assert engine.bounds(engine.log(one)) == Interval(0.0, 0.0)
    assert engine.bounds(engine.power(zero, 0)) == Interval(1.0, 1.0)


@every_engine
def test_exp_far_below_zero_is_never_negative_and_still_usable(engine: Engine) -> None:
    for argument in (-1000, -(10**6), -1e18, -1e300):
        tiny = engine.exp(engine.number(argument))
        assert engine.bounds(tiny) == Interval(0.0, 5e-324)
        limit = engine.bounds(64 / (1 + 63 * tiny))
        assert limit.lower <= 64 <= limit.upper
        assert limit.upper - limit.lower <= 4 * math.ulp(64.0)


# --- refusals


@every_engine
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinities_are_no_numbers(engine: Engine, value: float) -> None:
    with pytest.raises(NoEnclosure, match=f"{value} carries no information"):
        engine.number(value)
    with pytest.raises(NoEnclosure, match=f"{value} carries no information"):
        engine.number(0, value)


@every_engine
def test_end_points_in_the_wrong_order_are_refused(engine: Engine) -> None:
    with pytest.raises(NoEnclosure, match=r"\[2, 1\] is not an interval"):
        engine.number(2, 1)


@every_engine
@pytest.mark.parametrize("value", ["1", 1j, None])
def test_other_types_are_refused_by_name(engine: Engine, value: Any) -> None:
    with pytest.raises(NoEnclosure, match=f"is a {type(value).__name__}, no exact number"):
        engine.number(value, 2)  # None as the only end point would mean a missing upper end


@every_engine
@pytest.mark.parametrize("ends", [(0, 0), (-1, 1), (0, 1), (-1, 0)])
def test_division_by_an_interval_with_zero_is_refused(engine: Engine, ends: tuple[int, int]) -> None:
    message = r"division by \[.*\], which contains 0"
    for numerator in (engine.number(1), engine.number(0)):
        with pytest.raises(NoEnclosure, match=message):
            _ = numerator / engine.number(*ends)
    with pytest.raises(NoEnclosure, match=message):
        engine.power(engine.number(*ends), -1)


@every_engine
@pytest.mark.parametrize("ends", [(-1, -1), (-1, 1), (-5e-324, 1)])
def test_sqrt_of_a_possibly_negative_number_is_refused(engine: Engine, ends: tuple[float, float]) -> None:
    with pytest.raises(NoEnclosure, match="not proved nonnegative"):
        engine.sqrt(engine.number(*ends))


@every_engine
@pytest.mark.parametrize("ends", [(0, 0), (0, 1), (-1, 1), (-2, -1)])
def test_log_of_a_possibly_nonpositive_number_is_refused(engine: Engine, ends: tuple[float, float]) -> None:
    with pytest.raises(NoEnclosure, match="not positive"):
        engine.log(engine.number(*ends))


@every_engine
@pytest.mark.parametrize("argument", [709.79, 1e6, 1e300])
def test_overflow_ends_in_a_refusal(engine: Engine, argument: float) -> None:
    with pytest.raises(NoEnclosure, match="overflow"):
        engine.bounds(engine.exp(engine.number(argument)))


def test_scalars_of_two_engines_do_not_mix() -> None:
    foreign: Any = REFERENCE.number(1)
    with pytest.raises(TypeError, match="cannot combine an ArbScalar with ReferenceScalar"):
        _ = ARB.number(1) + foreign
    with pytest.raises(TypeError, match="cannot combine a ReferenceScalar with ArbScalar"):
        _ = foreign + ARB.number(1)
    with pytest.raises(TypeError, match="given a ReferenceScalar"):
        ARB.exp(foreign)
    with pytest.raises(TypeError, match="with ArbScalar"):
        REFERENCE.exp(ARB.number(1))
    float_operand: Any = 0.5
    with pytest.raises(TypeError, match="with float"):
        _ = ARB.number(1) * float_operand
