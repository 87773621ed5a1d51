"""Norm proofs hold exactly up to the norm, and not a hair below it."""

from fractions import Fraction

import numpy as np
import pytest

from certify.checker.exact import Exact, exact, plus, through_normalisation
from certify.checker.norms import gram_at_most, product_at_most, upper_root


def random_exact(shape: tuple[int, int], seed: int) -> tuple[np.ndarray, Exact]:
    values = np.random.default_rng(seed).standard_normal(shape).astype(np.float32).astype(np.float64)
    return values, exact(values.tolist())


def squared(value: float, factor: float) -> Fraction:
    return (Fraction(value) * Fraction(factor)) ** 2


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (5, 5), (12, 3)])
def test_gram(shape: tuple[int, int]) -> None:
    values, M = random_exact(shape, seed=1)
    size = float(np.linalg.norm(values, 2))
    assert gram_at_most(M.gram(), squared(size, 1 + 1e-13))
    assert not gram_at_most(M.gram(), squared(size, 1 - 1e-13))


def test_exactly_representable_norms() -> None:
    """Identity, rank one and repeated singular values: the bound may be the norm itself."""
    assert gram_at_most(exact([[3.0, 0.0], [0.0, 3.0]]).gram(), Fraction(9))
    assert gram_at_most(exact([[3.0, 4.0]]).gram(), Fraction(25))
    assert gram_at_most(exact([[3.0], [4.0]]).gram(), Fraction(25))
    assert not gram_at_most(exact([[3.0], [4.0]]).gram(), Fraction(25) - Fraction(1, 10**40))
    assert gram_at_most(exact([[0.0, 0.0]]).gram(), Fraction(0))


@pytest.mark.parametrize(("k", "d"), [(1, 4), (3, 8), (4, 2)])
def test_product(k: int, d: int) -> None:
    left, L = random_exact((k, d), seed=2)
    right, R = random_exact((k, d + 1), seed=3)
    size = float(np.linalg.norm(left.T @ right, 2))
    assert product_at_most(L.gram(), R.gram(), squared(size, 1 + 1e-12))
    assert not product_at_most(L.gram(), R.gram(), squared(size, 1 - 1e-12))
    assert product_at_most(L.gram(), R.gram(), squared(size, 1 + 1e-12))


def test_product_with_zero() -> None:
    zero, one = exact([[0.0, 0.0]]), exact([[1.0, 0.0]])
    assert product_at_most(zero.gram(), one.gram(), Fraction(0))
    assert product_at_most(one.gram(), zero.gram(), Fraction(0))


@pytest.mark.parametrize("unit", [Fraction(1), Fraction(3, 7), Fraction(1, 2**61), Fraction(2**40)])
def test_root_of_any_unit(unit: Fraction) -> None:
    gram = Exact([[4, 2], [2, 3]], unit)
    root = upper_root(gram)
    assert root is not None
    square = root.gram()
    for i in range(2):
        for j in range(2):
            exact_entry = gram.rows[i][j] * unit
            assert abs(square.rows[i][j] * square.unit - exact_entry) <= 4 * unit * Fraction(1, 2**90)


def test_through_normalisation() -> None:
    values, W = random_exact((3, 5), seed=4)
    gamma, g = random_exact((1, 5), seed=5)
    expected = values * gamma
    expected -= expected.mean(1, keepdims=True)
    result = through_normalisation(W, g)
    got = np.array([[float(entry * result.unit) for entry in row] for row in result.rows])
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-15)
    assert all(sum(row) == 0 for row in result.rows)


def test_sums_and_slices_are_exact() -> None:
    a, b = exact([[0.5, 3.0]]), exact([[0.1, 1e-30]])
    total = plus(a, b)
    assert [entry * total.unit for entry in total.rows[0]] == [
        Fraction(0.5) + Fraction(0.1),
        Fraction(3) + Fraction(1e-30),
    ]
    assert exact([[5e-324, 1.7e308]]).rows[0][0] == 1
    assert total.columns(1, 2).rows == [total.rows[0][1:]]
