"""G <= (N + ridge I)^-1 holds in exact arithmetic, and close to equality."""

import random
from fractions import Fraction

import pytest

from certify.checker.exact import Exact
from certify.checker.integers import Matrix, product, transpose
from certify.checker.inverse import UpperTriangle, below_inverse
from certify.checker.semidefinite import eliminates


def full(G: UpperTriangle) -> list[list[Fraction]]:
    n = len(G.rows)
    return [[G.rows[min(a, b)][abs(a - b)] * G.unit for b in range(n)] for a in range(n)]


def inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """By elimination, exactly."""
    n = len(matrix)
    rows = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def integral(matrix: list[list[Fraction]]) -> Matrix:
    common = max(entry.denominator for row in matrix for entry in row)
    while any((entry * common).denominator != 1 for row in matrix for entry in row):
        common *= max((entry * common).denominator for row in matrix for entry in row)
    return [[int(entry * common) for entry in row] for row in matrix]


@pytest.mark.parametrize("bits", [60, 116, 280])
@pytest.mark.parametrize(("n", "rank"), [(1, 1), (2, 2), (6, 9), (6, 2)])
def test_below_and_close(n: int, rank: int, bits: int) -> None:
    rng = random.Random(n + rank)
    rows = [[rng.randint(-(2**20), 2**20) for _ in range(rank)] for _ in range(n)]
    N = Exact(product(rows, transpose(rows)), Fraction(1, 3 * 2**41))
    ridge = Fraction(1, 2**10)
    G = below_inverse(N, ridge, bits)
    assert G is not None
    exact = inverse([[N.rows[a][b] * N.unit + ridge * (a == b) for b in range(n)] for a in range(n)])
    gap = [[e - g for e, g in zip(*pair, strict=True)] for pair in zip(exact, full(G), strict=True)]
    assert eliminates(integral(gap))
    assert max(gap[i][i] for i in range(n)) <= 2**20 * n * Fraction(1, 2 ** (bits // 2 - 14))


def test_a_matrix_that_is_not_semidefinite_has_none() -> None:
    assert below_inverse(Exact([[1, 3], [3, 1]], Fraction(1)), Fraction(1, 4), 116) is None
