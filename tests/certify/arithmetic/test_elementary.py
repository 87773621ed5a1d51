"""exp, sqrt, reciprocal and softmax on arrays of balls, against 200 digits."""

from collections.abc import Iterator
from fractions import Fraction
from math import factorial

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.arithmetic import elementary
from certify.arithmetic.elementary import EXP_ERROR, exp, exp_nearby, reciprocal, softmax, sqrt
from certify.arithmetic.matrices import BallMatrix
from certify.arithmetic.nearest import SUBNORMAL, UNIT

REACH = Fraction(36, 100)  # |r| after the reduction, with room
SMALL = (0.0, -0.0, 5e-324, -5e-324, 1e-300, 2.0**-54, -(2.0**-54), 1.0, -1.0, 0.5)
EDGES = (709.7, 709.782712893383, -708.3964185322641, -744.4400719213812, -745.13321910194122, -746.0, -1e3, -1.7e308)


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    saved = flint.ctx.dps
    flint.ctx.dps = 200
    yield
    flint.ctx.dps = saved


def near_the_reduction() -> np.ndarray:
    """Doubles around (k + 1/2) ln 2, where the reduced argument is largest, and around k ln 2, where it cancels."""
    centre = np.arange(-2150, 2047) * (0.5 * np.log(2.0))
    around = [centre]
    for direction in (-np.inf, np.inf):
        step = centre
        for _ in range(3):
            step = np.nextafter(step, direction)
            around.append(step)
    return np.concatenate(around)


def exp_escapes(x: np.ndarray) -> int:
    """How often |exp_nearby(x) - exp(x)| <= 2^-51 exp(x) + 2^-1074 is not proved, at 200 digits."""
    pairs = zip(x.tolist(), exp_nearby(x).tolist(), strict=True)
    return sum(not abs(flint.arb(y) - (e := flint.arb(v).exp())) <= e * EXP_ERROR + SUBNORMAL for v, y in pairs)


def test_exp_is_within_its_claim_on_a_hundred_thousand_doubles() -> None:
    rng = np.random.default_rng(0)
    parts = [
        rng.uniform(-745, 709.7, 40_000),
        rng.uniform(-1, 1, 15_000),
        -np.exp2(rng.uniform(-60, 9.5, 15_000)),
        near_the_reduction(),
        SMALL,
        EDGES,
    ]
    x = np.concatenate(parts)
    assert len(x) > 99_000
    assert exp_escapes(x) == 0


def test_the_check_of_exp_objects_to_a_wrong_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elementary, "_LN2_LOW", 0.0)
    assert exp_escapes(np.linspace(-50.0, 50.0, 101)) > 0


def test_ln2_is_split_as_the_proof_says() -> None:
    high, low = Fraction(elementary._LN2_HIGH), Fraction(elementary._LN2_LOW)
    assert (high * 2**32).denominator == 1
    assert abs(flint.arb(flint.fmpq(high.numerator, high.denominator)) + float(low) - flint.arb.const_log2()) < 2.0**-86
    assert Fraction(elementary._LN2_LOW) * 1077 < Fraction(1, 2**22)


def test_horner_and_reduction_stay_below_the_claimed_error() -> None:
    """The recurrence of the docstring in rationals, relative to exp(r), on a partition of [-0.36, 0.36]."""
    assert max(relative_error(Fraction(k, 50) * REACH) for k in range(-49, 51)) < Fraction(EXP_ERROR)


def relative_error(right: Fraction) -> Fraction:
    """Bound of |s_0 - exp(x - k ln 2)| / exp(x - k ln 2) for r within one cell of the partition."""
    u, left = Fraction(UNIT), right - REACH / 50
    size = max(abs(left), abs(right))
    grow = 1 + u

    def tail(j: int) -> Fraction:  # bounds |sum_i r^i j! / (i+j)!| / j!: alternating for r < 0
        top = max(right, Fraction(0))
        return sum((top**i / factorial(i + j) for i in range(20)), Fraction(0)) * (1 + Fraction(1, 10**12))

    error, value = u / factorial(14), Fraction(1, factorial(14))
    for j in range(13, -1, -1):
        product = size * (value + error)
        error = size * error + u * product + (u / factorial(j) if j > 1 else 0)
        value = tail(j)
        error += u * (value + error) * grow
    least = sum((left**i / factorial(i) for i in range(20)), Fraction(0)) * (1 - Fraction(1, 10**12))
    truncation = size**15 / factorial(15) * Fraction(3, 2)
    reduced = Fraction(2.0**-54.9) * (1 + Fraction(1, 10**12))
    return (error + truncation) / least * (1 + reduced) + reduced


def test_exp_of_balls_contains_both_ends() -> None:
    rng = np.random.default_rng(1)
    mid = np.concatenate([rng.uniform(-760, 700, 3000), rng.uniform(-2, 2, 3000)])
    rad = np.exp2(rng.uniform(-70, 3, mid.shape))
    check(BallMatrix(mid, rad), exp, flint.arb.exp)


def test_exp_of_narrow_balls_is_tight() -> None:
    ball = exp(BallMatrix(np.linspace(-5, 5, 100), np.full(100, 1e-9)))
    assert (ball.rad <= 1.001e-9 * ball.mid).all()


def test_exp_that_overflows_says_nothing() -> None:
    assert np.isinf(exp(BallMatrix(np.array([710.0, 0.0, 1e308]), np.array([0.0, 720.0, 0.0]))).rad).all()


def test_sqrt_and_reciprocal_of_balls_contain_both_ends() -> None:
    rng = np.random.default_rng(2)
    mid = np.ldexp(rng.random(3000) + 0.1, rng.integers(-1060, 1000, 3000))
    ball = BallMatrix(mid, mid * rng.choice([0.0, 1e-17, 1e-9, 0.5, 0.999], 3000))
    check(ball, sqrt, flint.arb.sqrt)
    check(ball, reciprocal, lambda x: 1 / x)
    check(-ball, reciprocal, lambda x: 1 / x)


def test_sqrt_and_reciprocal_where_nothing_is_known() -> None:
    assert np.isinf(sqrt(BallMatrix.exact([-1.0])).rad).all()
    assert np.isinf(reciprocal(BallMatrix(np.array([0.0, 1.0, -1e-3]), np.array([0.0, 1.0, 2e-3]))).rad).all()
    unknown = BallMatrix(np.array([1.0]), np.array([np.inf]))
    assert all(np.isinf(function(unknown).rad).all() for function in (exp, sqrt, reciprocal))


def test_sqrt_of_a_ball_around_zero() -> None:
    root = sqrt(BallMatrix(np.array([0.0]), np.array([4.0])))
    assert root.lower()[0] <= 0.0
    assert 2.0 <= root.upper()[0] < 2.1


def check(ball: BallMatrix, function, reference) -> None:  # type: ignore[no-untyped-def]
    """Both ends and the middle of every ball are mapped into the result, and the result says something."""
    result = function(ball)
    assert np.isfinite(result.rad).mean() > 0.9
    rows = zip(*(a.tolist() for a in (ball.mid, ball.rad, result.mid, result.rad)), strict=True)
    for mid, rad, middle, radius in rows:
        for sign in (-1, 0, 1):
            exact = reference(flint.arb(mid) + sign * flint.arb(rad))
            assert not np.isfinite(radius) or contains(middle, radius, exact)


def contains(middle: float, radius: float, exact: flint.arb) -> bool:
    """Whether the number is proved to lie in the ball, also where it touches an end from inside."""
    return flint.arb(middle) - radius <= exact <= flint.arb(middle) + radius


def exact_softmax(row: list[flint.arb], seen: np.ndarray) -> list[flint.arb]:
    top = max((x.mid() for x in row), key=float)
    weights = [(x - top).exp() if s else flint.arb(0) for x, s in zip(row, seen, strict=True)]
    total = sum(weights, flint.arb(0))
    return [w / total if s else flint.arb(0) for w, s in zip(weights, seen, strict=True)]


@pytest.mark.parametrize("scale", [1.0, 30.0, 1000.0, 1e300])
@pytest.mark.parametrize("width", [0.0, 1e-12, 1e-3, 3.0])
def test_softmax_contains_the_softmax_of_every_corner(scale: float, width: float) -> None:
    flint.ctx.dps = 700  # 1e300 and 1e-12 in one number
    rng = np.random.default_rng(3)
    mid = rng.standard_normal((20, 6, 6)) * scale
    scores = BallMatrix(mid, rng.random(mid.shape) * width)
    visible = rng.random((6, 6)) < 0.7
    P = softmax(scores, visible)
    signs = rng.integers(-1, 2, mid.shape)
    for index in np.ndindex(20, 6):
        seen = visible[index[1]]
        if not seen.any():
            continue
        row = [
            flint.arb(m) + int(s) * flint.arb(r)
            for m, s, r in zip(mid[index], signs[index], scores.rad[index], strict=True)
        ]
        for p, m, r in zip(exact_softmax(row, seen), P.mid[index].tolist(), P.rad[index].tolist(), strict=True):
            assert contains(m, r, p)
    assert (P.lower() >= -1e-15).all()
    assert (P.upper() <= 1 + 1e-15).all()


def test_softmax_of_exact_scores_is_tight() -> None:
    scores = np.random.default_rng(4).standard_normal((5, 40, 40)) * 10
    P = softmax(BallMatrix.exact(scores))
    assert (P.rad <= 1e-13 * P.mid + 1e-300).all()


def test_masked_entries_are_exactly_zero_and_an_empty_row_is_zero() -> None:
    visible = np.tril(np.ones((4, 4), dtype=bool))
    visible[2] = False
    P = softmax(BallMatrix(np.full((3, 4, 4), 800.0), np.ones((3, 4, 4))), visible)
    hidden = np.broadcast_to(~visible, P.shape)
    assert not P.mid[hidden].any()
    assert not P.rad[hidden].any()
    assert P[:, 2].is_exact


def test_softmax_of_unknown_scores_is_still_between_zero_and_one() -> None:
    P = softmax(BallMatrix(np.zeros((2, 3)), np.full((2, 3), np.inf)))
    assert (P.lower() <= 0.0).all()
    assert (P.upper() >= 1.0).all()
    assert (P.rad <= 0.5 + 1e-15).all()


@given(st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=5))
def test_softmax_of_adversarial_scores(row: list[float]) -> None:
    P = softmax(BallMatrix.exact(row))
    flint.ctx.dps = 700
    exact = exact_softmax([flint.arb(x) for x in row], np.ones(len(row), dtype=bool))
    assert all(map(contains, P.mid.tolist(), P.rad.tolist(), exact))
