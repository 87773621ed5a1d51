"""A matrix that is not semidefinite is never accepted, however close; those a little inside always are."""

import random
from fractions import Fraction

import pytest

from certify.checker.integers import Matrix, product, transpose
from certify.checker.semidefinite import BITS, eliminates, is_semidefinite, root_above


def random_gram(n: int, rank: int, bits: int, seed: int) -> Matrix:
    rng = random.Random(seed)
    M = [[rng.randint(-(2**bits), 2**bits) for _ in range(rank)] for _ in range(n)]
    return product(M, transpose(M))


def shifted(S: Matrix, shift: int) -> Matrix:
    return [[entry + shift * (i == j) for j, entry in enumerate(row)] for i, row in enumerate(S)]


def quadratic(S: Matrix, x: list[int]) -> int:
    return sum(a * b * S[i][j] for i, a in enumerate(x) for j, b in enumerate(x))


@pytest.mark.parametrize("n", [1, 2, 3, 8, 20])
@pytest.mark.parametrize("bits", [4, 40, 150])
def test_grams_are_accepted(n: int, bits: int) -> None:
    for rank in {1, n, 2 * n}:
        S = random_gram(n, rank, bits, seed=n + bits)
        assert is_semidefinite(S)
        assert eliminates(S)


@pytest.mark.parametrize("n", [2, 3, 8, 20])
@pytest.mark.parametrize("bits", [4, 40, 150])
def test_one_unit_below_a_singular_one_is_refused(n: int, bits: int) -> None:
    """A Gram matrix of rank n - 1 is zero along some x, so that S - I is negative there."""
    S = shifted(random_gram(n, n - 1, bits, seed=n + bits), -1)
    assert not is_semidefinite(S)
    assert not eliminates(S)


@pytest.mark.parametrize(
    "S",
    [
        [[-1]],
        [[0, 1], [1, 0]],
        [[0, 1], [1, 5]],
        [[1, 2], [2, 1]],
        [[4, 2, 0], [2, 1, 1], [0, 1, 5]],
        [[10**80, 10**80 + 1], [10**80 + 1, 10**80]],
    ],
)
def test_indefinite(S: Matrix) -> None:
    assert not is_semidefinite(S)


def test_singular_ones_are_decided_exactly() -> None:
    assert is_semidefinite([[0, 0], [0, 0]])
    assert is_semidefinite([[0, 0], [0, 3]])
    assert is_semidefinite([[1, 2], [2, 4]])
    assert is_semidefinite([[4, 2, 0], [2, 1, 0], [0, 0, 0]])


def test_large_matrices_need_a_margin_of_a_few_units_only() -> None:
    """Beyond the size of exact elimination the factorisation decides, to about 2**-90 of the largest entry."""
    S = random_gram(60, 59, 30, seed=0)
    top = max(row[i] for i, row in enumerate(S))
    wide = [[entry << 100 for entry in row] for row in S]
    assert not is_semidefinite(shifted(wide, -1))
    assert is_semidefinite(shifted(wide, (top << 100) >> 85))


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("rank", [1, 4, 20])
@pytest.mark.parametrize("bits", [3, 60, 160])
def test_root_above(n: int, rank: int, bits: int) -> None:
    """C C^T - 2**e G is semidefinite by exact elimination, and tiny beside G."""
    G = random_gram(n, rank, bits, seed=7)
    found = root_above(G)
    assert found is not None
    C, e = found
    assert e % 2 == 0
    square = product(C, transpose(C))
    power = Fraction(2) ** e
    clear = max(power.denominator, 1)
    gap = [
        [clear * a - int(power * clear) * b for a, b in zip(*pair, strict=True)] for pair in zip(square, G, strict=True)
    ]
    assert eliminates(gap)
    top = max(row[i] for i, row in enumerate(G)) * power
    assert max(gap[i][i] for i in range(n)) <= clear * top * n * Fraction(1, 2 ** (BITS // 2 - 12))


def test_no_root_of_an_indefinite_matrix() -> None:
    assert root_above([[1, 3], [3, 1]]) is None
    assert root_above([[0, 0], [0, 0]]) == ([[0, 0], [0, 0]], 0)


def test_the_remainder_is_what_the_margin_pays_for() -> None:
    """`_factor` leaves 0 <= T - R^T R <= 2 max r entry by entry, as the proof of the module says."""
    from certify.checker.semidefinite import _factor, _margin, _rounded, upper_triangle

    S, _ = _rounded(shifted(random_gram(9, 12, 90, seed=3), 12345))
    shift = -_margin(9)
    rows = _factor(upper_triangle(S), shift)
    assert rows is not None
    R = [[0] * j + row for j, row in enumerate(rows)]
    square = product(transpose(R), R)
    largest_pivot = max(R[i][i] for i in range(9))
    for i in range(9):
        for j in range(9):
            rest = S[i][j] + shift * (i == j) - square[i][j]
            assert 0 <= rest <= 2 * largest_pivot
    assert 9 * (1 + 2 * largest_pivot) <= -shift
