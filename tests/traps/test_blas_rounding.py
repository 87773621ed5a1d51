"""Trap: trusting a BLAS product, or repairing it by one unit in the last place of its result.

The error of a sum of products is relative to the sum of moduli, not to the result: it needs gamma_k |A||B|.
Switching the rounding mode is no way out (BLAS threads ignore it): it is refused, which
tests/certify/arithmetic/test_nearest.py shows.
"""

from collections.abc import Callable

import numpy as np
import pytest

from certify.arithmetic.matrices import BallMatrix
from tests.certify.exact_arrays import escapes, units


def cancelling() -> list[tuple[np.ndarray, np.ndarray]]:
    """Products far below the terms that cancel in them: the first is 1, lost or not as the order has it."""
    rng = np.random.default_rng(0)
    cases = [(np.array([[2.0**53, 1.0, -(2.0**53)]]), np.ones((3, 1)))]
    for _ in range(20):
        a, b = rng.standard_normal((8, 40)), rng.standard_normal((40, 8))
        cases.append((np.hstack([a, -a, 1e-9 * a]), np.vstack([b, b, b])))
    return cases


def plain_blas(a: np.ndarray, b: np.ndarray) -> BallMatrix:
    return BallMatrix.exact(a @ b)


def one_unit_of_the_result(a: np.ndarray, b: np.ndarray) -> BallMatrix:
    product = a @ b
    return BallMatrix(product, np.spacing(np.abs(product)))


def ours(a: np.ndarray, b: np.ndarray) -> BallMatrix:
    return BallMatrix.exact(a) @ BallMatrix.exact(b)


def refuted(product: Callable[[np.ndarray, np.ndarray], BallMatrix]) -> int:
    """How many entries of the exact products lie outside."""
    return sum(escapes(product(a, b), np.matmul(units(a), units(b)), factors=2) for a, b in cancelling())


@pytest.mark.parametrize("uncertified", [plain_blas, one_unit_of_the_result])
def test_products_without_an_error_term_are_refuted(
    uncertified: Callable[[np.ndarray, np.ndarray], BallMatrix],
) -> None:
    assert refuted(uncertified) > 0


def test_ours_is_never_refuted() -> None:
    assert refuted(ours) == 0


def test_one_exact_integer_is_kept_though_rounding_may_lose_it() -> None:
    product = ours(*cancelling()[0])
    assert product.lower()[0, 0] <= 1.0 <= product.upper()[0, 0]
