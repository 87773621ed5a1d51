"""Arrays of balls against exact integers: every operation contains the exact result, never once outside."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from certify.arithmetic import matrices
from certify.arithmetic.matrices import BallMatrix
from certify.arithmetic.nearest import UNIT, gamma
from certify.errors import InputError
from tests.certify.exact_arrays import KINDS, balls, corner, doubles, escapes, units

any_double = st.floats(allow_nan=False, allow_infinity=False)
SHAPES = [((2, 3), (3, 2)), ((1, 7), (7, 1)), ((3, 1), (1, 3)), ((2, 2, 4), (4, 2)), ((2, 1, 1, 5), (3, 5, 1))]


def sweep_products(seed: int, rounds: int) -> int:
    """How many entries of products of random balls escape or say nothing, over all pairs of kinds of numbers."""
    rng = np.random.default_rng(seed)
    outside = 0
    for left, right in itertools.product(KINDS, KINDS):
        for _, (shape, other) in itertools.product(range(rounds), SHAPES):
            a, b = balls(rng, left, shape), balls(rng, right, other)
            product = a @ b
            outside += escapes(product, np.matmul(corner(rng, a), corner(rng, b)), factors=2)
            outside += int(np.isinf(product.rad).sum())
    return outside


def test_products_contain_the_exact_product() -> None:
    assert sweep_products(seed=1, rounds=30) == 0  # 9600 products


@pytest.mark.slow
def test_products_contain_the_exact_product_many_times() -> None:
    assert sweep_products(seed=2, rounds=400) == 0


def test_the_sweep_objects_to_a_rounding_error_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "gamma", lambda count: count * UNIT / 16)
    assert sweep_products(seed=1, rounds=1) > 0


def test_the_sweep_objects_to_forgotten_underflow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "FLUSHED", 0.0)
    assert sweep_products(seed=1, rounds=1) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_radius_covers_any_order_fused_or_flushed(kind: str) -> None:
    """Other processors sum otherwise: emulated here with exact rounding of every step."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        a, b = doubles(rng, kind, (1, 6)), doubles(rng, kind, (6, 1))
        rad = Fraction(float((BallMatrix.exact(a) @ BallMatrix.exact(b)).rad[0, 0]))
        x, y = [Fraction(v) for v in a[0].tolist()], [Fraction(v) for v in b[:, 0].tolist()]
        exact = sum((p * q for p, q in zip(x, y, strict=True)), Fraction(0))
        order = rng.permutation(6).tolist()
        for fused, flush in itertools.product((False, True), repeat=2):
            assert abs(emulated_dot(x, y, order, fused, flush) - exact) <= rad


def emulated_dot(x: list[Fraction], y: list[Fraction], order: list[int], fused: bool, flush: bool) -> Fraction:
    """One sum of products in round to nearest, in the given order, with FMA or not, flushing small results or not."""

    def rounded(value: Fraction) -> Fraction:
        result = Fraction(float(value))
        return Fraction(0) if flush and abs(result) < Fraction(1, 2**1022) else result

    total = Fraction(0)
    for i in order:
        product = x[i] * y[i]
        total = rounded(total + (product if fused else rounded(product)))
    return total


def test_products_of_exact_matrices_are_tight() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((60, 200)), rng.standard_normal((200, 50))
    rad = (BallMatrix.exact(a) @ BallMatrix.exact(b)).rad
    assert (rad <= 1.0001 * gamma(200) * (np.abs(a) @ np.abs(b))).all()


def test_radii_multiply_no_wider_than_they_must() -> None:
    rng = np.random.default_rng(5)
    a = BallMatrix(rng.standard_normal((20, 30)), 1e-6 * rng.random((20, 30)))
    b = BallMatrix(rng.standard_normal((30, 10)), 1e-6 * rng.random((30, 10)))
    needed = np.abs(a.mid) @ b.rad + a.rad @ (np.abs(b.mid) + b.rad)
    assert ((a @ b).rad <= (1 + 1e-6) * needed).all()


def test_float32_is_exact() -> None:
    weights = np.random.default_rng(6).standard_normal((4, 5)).astype(np.float32)
    ball = BallMatrix.exact(weights)
    assert ball.is_exact
    assert ball.mid.dtype == np.float64
    assert (ball.mid.astype(np.float32) == weights).all()


def test_exact_copies_its_array() -> None:
    array = np.ones((2, 2))
    ball = BallMatrix.exact(array)
    array[0, 0] = 7.0
    assert ball.mid[0, 0] == 1.0


@pytest.mark.parametrize("bad", [[1.0, np.nan], [np.inf], [-np.inf, 0.0]])
def test_nan_and_infinity_are_refused(bad: list[float]) -> None:
    with pytest.raises(InputError, match="contains nan or infinity"):
        BallMatrix.exact(bad)


@pytest.mark.parametrize("bad", [np.array([True]), np.array([1j]), np.array(["1"]), np.array([{}])])
def test_other_dtypes_are_refused_by_name(bad: np.ndarray) -> None:
    with pytest.raises(InputError, match=f"dtype {bad.dtype} is not exact here"):
        BallMatrix.exact(bad)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is double here")
def test_longer_floats_are_not_rounded_silently() -> None:
    with pytest.raises(InputError, match="convert it to float64 yourself"):
        BallMatrix.exact(np.ones(2, dtype=np.longdouble))


def test_only_integers_that_are_doubles_are_exact() -> None:
    assert BallMatrix.exact(np.array([2**60, -(2**53), 3])).mid.tolist() == [2.0**60, -(2.0**53), 3.0]
    for big in (np.array([2**53 + 1]), np.array([2**64 - 1], dtype=np.uint64), np.array([-(2**62) - 1])):
        with pytest.raises(InputError, match="beyond 2\\^53 that no double equals"):
            BallMatrix.exact(big)


def test_shapes_dtypes_and_radii_are_checked() -> None:
    with pytest.raises(ValueError, match="two float64 arrays of one shape, not float64\\(2,\\) and float64\\(3,\\)"):
        BallMatrix(np.zeros(2), np.zeros(3))
    with pytest.raises(ValueError, match="two float64 arrays"):
        BallMatrix(np.zeros(2, dtype=np.float32), np.zeros(2))
    with pytest.raises(ValueError, match="a radius is negative"):
        BallMatrix(np.zeros(2), np.array([0.0, -1e-300]))


def test_numpy_arrays_do_not_mix_silently() -> None:
    ball = BallMatrix.exact(np.eye(2))
    with pytest.raises(TypeError):
        np.eye(2) @ ball  # type: ignore[operator]
    with pytest.raises(TypeError):
        ball @ np.eye(2)  # type: ignore[operator]


@pytest.mark.parametrize(("mid", "rad"), [(np.nan, 0.0), (np.inf, 0.0), (1.0, np.nan), (1.0, np.inf)])
def test_nan_and_overflow_mean_no_information(mid: float, rad: float) -> None:
    ball = BallMatrix(np.array([mid]), np.array([rad]))
    assert (ball.mid[0], ball.rad[0]) == (0.0, np.inf)
    for result in (ball + 1.0, ball * 0.0, ball - ball, ball.sum(0), ball @ BallMatrix.exact([0.0]), -ball):
        assert np.isinf(result.rad).all()
    assert ball.upper_abs()[0] == np.inf
    assert ball.lower_abs()[0] == 0.0


def test_overflowing_products_mean_no_information() -> None:
    big = BallMatrix.exact(np.array([[1e200, -1e200]]))
    assert np.isinf((big @ big.T).rad).all()
    assert np.isinf((big * big).rad).all()
    assert np.isinf((big @ BallMatrix.exact([[1e200], [1e200]])).rad).all()  # inf - inf inside


@given(hnp.arrays(np.float64, (4, 3), elements=any_double))
@settings(deadline=None)
def test_elementwise_operations_contain_the_exact_result(x: np.ndarray) -> None:
    a, b = BallMatrix(x[0], np.abs(x[1])), BallMatrix(x[2], np.abs(x[3]))
    lows, highs = (
        (units(ball.mid) - units(ball.rad) for ball in (a, b)),
        (units(ball.mid) + units(ball.rad) for ball in (a, b)),
    )
    for p, q in itertools.product(*zip(lows, highs, strict=True)):
        assert escapes(a + b, p + q) == 0
        assert escapes(a - b, p - q) == 0
        assert escapes(a * b, p * q, factors=2) == 0
        assert escapes(a.sum(0), np.array(p.sum())) == 0


@given(any_double, any_double)
def test_exact_operations_are_as_tight_as_one_rounding(x: float, y: float) -> None:
    a, b = BallMatrix.exact(x), BallMatrix.exact(y)
    for result in (a + b, a * b):
        assert not np.isfinite(result.rad) or result.rad <= 1.01 * UNIT * np.abs(result.mid) + 2.0**-1071


@given(any_double, st.floats(0, allow_infinity=False))
def test_end_points_are_rounded_outward(mid: float, rad: float) -> None:
    ball = BallMatrix(np.array(mid), np.array(rad))
    middle, radius = Fraction(mid), Fraction(rad)
    upper, lower = float(ball.upper()), float(ball.lower())
    assert upper == np.inf or Fraction(upper) >= middle + radius
    assert lower == -np.inf or Fraction(lower) <= middle - radius
    upper_abs = float(ball.upper_abs())
    assert upper_abs == np.inf or Fraction(upper_abs) >= abs(middle) + radius
    assert 0 <= Fraction(float(ball.lower_abs())) <= max(abs(middle) - radius, 0)


@given(any_double, any_double)
def test_between_contains_both_ends(x: float, y: float) -> None:
    lower, upper = min(x, y), max(x, y)
    ball = BallMatrix.between(lower, upper)
    assert escapes(ball, units(np.array(lower))) == escapes(ball, units(np.array(upper))) == 0


def test_between_refuses_a_reversed_or_unknown_interval() -> None:
    for lower, upper in ((1.0, 0.0), (np.nan, 1.0), (0.0, np.nan)):
        with pytest.raises(ValueError, match="a lower end point is not below"):
            BallMatrix.between(lower, upper)
    assert np.isinf(BallMatrix.between(-np.inf, 1.0).rad)


@pytest.mark.parametrize("kind", KINDS)
def test_sums_contain_the_exact_sum(kind: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        ball = balls(rng, kind, (3, 40))
        exact = corner(rng, ball)
        assert escapes(ball.sum(-1), exact.sum(-1)) == 0
        assert escapes(ball.sum(0), exact.sum(0)) == 0


def test_exact_zeros_stay_exact() -> None:
    zero, other = BallMatrix.exact(np.zeros(3)), BallMatrix(np.ones(3), np.ones(3))
    assert (zero * other).is_exact
    assert (zero + zero).is_exact
    assert zero.sum(0).is_exact


def test_empty_inner_dimensions_give_exact_zeros() -> None:
    product = BallMatrix.exact(np.zeros((2, 0))) @ BallMatrix.exact(np.zeros((0, 3)))
    assert product.shape == (2, 3)
    assert product.is_exact
    assert (BallMatrix.exact(np.zeros((0, 4))) @ BallMatrix.exact(np.zeros((4, 3)))).shape == (0, 3)
    assert BallMatrix.exact(np.zeros((0, 4))).sum(0).mid.tolist() == [0.0] * 4


def test_views_keep_mid_and_rad_together() -> None:
    rng = np.random.default_rng(8)
    ball = BallMatrix(rng.standard_normal((2, 3, 4)), rng.random((2, 3, 4)))
    assert (ball.T.mid == ball.mid.transpose(0, 2, 1)).all()
    assert (ball.T.rad == ball.rad.transpose(0, 2, 1)).all()
    assert (ball[1, :, None, ::2].rad == ball.rad[1, :, None, ::2]).all()
    assert ball.reshape(6, 4).shape == (6, 4)
    assert ball[0, 0, 0].shape == ()
    assert len(ball) == 2
