"""The start and its overlap: the stated probability is never exceeded, and nearly reached; bad settings are refused."""

import math

import numpy as np
import pytest

from certify.chebyshev.chance import Chance
from certify.errors import InputError
from tests.certify.refusal import refused


def poisson_tail(mean: float, count: int) -> float:
    """P(Poisson(mean) >= count), summed from the small end so that nothing cancels."""
    return sum(math.exp(-mean) * mean**j / math.factorial(j) for j in range(count, count + 60))


@pytest.mark.parametrize("pairs", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("failure", [1e-300, 1e-12, 1e-3])
def test_a_shorter_overlap_has_at_most_the_stated_probability(pairs: int, failure: float) -> None:
    half_square = Chance(failure, 0).overlap(pairs) ** 2 / 2
    assert failure * math.exp(-half_square) * (1 - 1e-9) <= poisson_tail(half_square, pairs) <= failure * (1 + 1e-12)


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_the_frequency_of_short_overlaps(pairs: int) -> None:
    """4000 starts of 6 numbers a column, along a fixed direction: the binomial error is below 0.03."""
    v = np.array([[1.0, -2.0], [0.5, 3.0], [0.0, 1.0]])
    v /= np.linalg.norm(v)
    overlap = Chance(0.5, 0).overlap(pairs)
    found = [np.linalg.norm((Chance(0.5, seed).start(v.shape, pairs, 1) * v).sum((1, 2))) for seed in range(4000)]
    assert np.mean(np.array(found) < overlap) == pytest.approx(poisson_tail(overlap**2 / 2, pairs), abs=0.03)


def test_another_place_or_seed_gives_other_numbers_and_the_same_gives_the_same() -> None:
    first = Chance(0.1, 5).start((2, 3), 2, 0)
    assert first.shape == (4, 2, 3)
    assert np.array_equal(first, Chance(0.2, 5).start((2, 3), 2, 0))
    assert not np.isin(Chance(0.1, 5).start((2, 3), 2, 1), first).any()
    assert not np.isin(Chance(0.1, 6).start((2, 3), 2, 0), first).any()


def test_a_fresh_seed_every_time() -> None:
    assert Chance().seed != Chance().seed


@pytest.mark.parametrize("failure", [0.0, 1.0, -1e-3, 2.0, math.nan, math.inf])
def test_no_probability(failure: float) -> None:
    message = f"the failure probability is {failure}: give one between 1e-300 and 1, such as 1e-12"
    with refused(InputError, message):
        Chance(failure, 0)


def test_a_negative_seed() -> None:
    with refused(InputError, "the seed is -1: give an integer that is not negative"):
        Chance(0.5, -1)
