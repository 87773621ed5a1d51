"""exp and softmax in fixed point stay within their stated errors of 200-digit values."""

import random

import mpmath
import pytest

from certify.checker.fixed import ONE, PLACES, Fixed
from certify.checker.softmax import EXP_ERROR, TooCoarse, exp_of_negative, softmax


def test_exp_of_negative() -> None:
    rng = random.Random(0)
    points = [0, -1, -ONE, -(ONE >> 60), -100 * ONE, -(PLACES + 3) * ONE, -(10**9) * ONE]
    points += [-rng.randrange(2 ** rng.randint(1, PLACES + 8)) for _ in range(600)]
    points += [
        -int(m * 0.693147180559945309417232121458 * 2**PLACES) for m in range(1, 80)
    ]  # near the reduction's edges
    with mpmath.workprec(700):
        for x in points:
            true = mpmath.exp(mpmath.mpf(x) / ONE) * ONE
            assert abs(true - exp_of_negative(x)) <= EXP_ERROR
    assert exp_of_negative(0) == ONE


@pytest.mark.parametrize("error", [0, 1, 2**30])
@pytest.mark.parametrize("spread", [0, 1, 30, 2000])
def test_softmax(error: int, spread: int) -> None:
    rng = random.Random(spread)
    rows = [[rng.randint(-spread * ONE, spread * ONE) for _ in range(7)] for _ in range(3)]
    result = softmax(Fixed(rows, error))
    with mpmath.workprec(700):
        for row, got in zip(rows, result.rows, strict=True):
            true_scores = [mpmath.mpf(entry + rng.choice((-error, error))) / ONE for entry in row]
            powers = [mpmath.exp(score) for score in true_scores]
            for power, entry in zip(powers, got, strict=True):
                assert abs(power / sum(powers) * ONE - entry) <= result.error
    assert result.error <= 2 * (EXP_ERROR + 2 * error) * 8 + 1


def test_one_token() -> None:
    assert softmax(Fixed([[5 * ONE]], 3)).rows == [[ONE]]


def test_scores_that_are_not_known_have_no_softmax() -> None:
    with pytest.raises(TooCoarse, match=r"scores are known to \d+/2\*\*112 only"):
        softmax(Fixed([[0, ONE]], ONE >> 10))
