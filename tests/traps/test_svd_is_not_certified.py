"""Trap: a power iteration, or a floating-point SVD, reported as an upper bound of a spectral norm.

Matrices u v^T of integers have the norm |u||v|, whose square is an integer: exactly known.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from certify.arithmetic.matrices import BallMatrix
from certify.norms import spectral_norm


def rank_one() -> list[tuple[np.ndarray, int]]:
    """Integer matrices (exact as doubles) and the squares of their norms."""
    cases = []
    for seed in range(40):
        u, v = np.random.default_rng(seed).integers(-9, 10, (2, 20 + seed))
        cases.append((np.outer(u, v).astype(np.float64), int((u * u).sum() * (v * v).sum())))
    return cases


def two_almost_equal(order: int = 40) -> tuple[np.ndarray, int]:
    """1000 along one axis, 999 along all others: a random start needs thousands of steps to see the first."""
    return np.diag(np.array([1000.0] + [999.0] * (order - 1))), 1000**2


def floating_svd(matrix: np.ndarray) -> float:
    return float(np.linalg.svd(matrix, compute_uv=False)[0])


def power_iteration(matrix: np.ndarray, steps: int = 100) -> float:
    v = np.random.default_rng(0).standard_normal(matrix.shape[1])
    for _ in range(steps):
        v = matrix.T @ (matrix @ v)
        v /= np.linalg.norm(v)
    return float(np.linalg.norm(matrix @ v))


def ours(matrix: np.ndarray) -> float:
    return spectral_norm(BallMatrix.exact(matrix)).upper


def refuted(upper_bound: Callable[[np.ndarray], float]) -> int:
    """How many exactly known norms exceed the reported upper bound."""
    return sum(Fraction(upper_bound(matrix)) ** 2 < square for matrix, square in [*rank_one(), two_almost_equal()])


@pytest.mark.parametrize("uncertified", [floating_svd, power_iteration])
def test_uncertified_norms_are_refuted_as_upper_bounds(uncertified: Callable[[np.ndarray], float]) -> None:
    assert refuted(uncertified) > 0


def test_ours_is_never_refuted() -> None:
    assert refuted(ours) == 0


def test_a_power_iteration_is_refuted_already_in_the_fourth_digit() -> None:
    matrix, _ = two_almost_equal()
    assert power_iteration(matrix) < 999.8
    assert 1000.0 <= ours(matrix) <= 1000.0 * (1 + 1e-8)
