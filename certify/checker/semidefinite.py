"""Proofs that a symmetric integer matrix is positive semidefinite, by an integer Cholesky with counted residual.

Round S to `bits` bits and factor T = S' - m I: sums are exact integers, so the only errors are the floor divisions
by the pivot r_jj and the integer square roots. Entry by entry 0 <= T - R^T R <= 2 max_j r_jj (both rules leave a
remainder in that range), so |T - R^T R| <= 2 n max_j r_jj, and m pays for it together with the rounding of S.
"""

import math
from operator import mul

from .integers import Matrix, largest, pack, transpose, unpack, without_first

BITS = 200
BLOCK = 32  # columns after which the finished ones are dropped from the packed rows
SMALL = 48  # up to here exact elimination decides what the factorisation leaves open


def is_semidefinite(S: Matrix) -> bool:
    """Whether S (n, n), symmetric, was proved positive semidefinite; False means only that it was not."""
    return upper_is_semidefinite(upper_triangle(S)) or (len(S) <= SMALL and eliminates(S))


def upper_is_semidefinite(upper: Matrix, bits: int = BITS) -> bool:
    """The same of a symmetric matrix given by its rows from the diagonal on; fewer bits need a larger margin."""
    if largest(upper) == 0:
        return True
    rounded, _ = _rounded(upper, bits)
    return _factor(rounded, -_margin(len(upper), bits), bits) is not None


def root_above(G: Matrix, bits: int = BITS) -> tuple[Matrix, int] | None:
    """(C, e), e even, with C C^T >= 2**e G in the order of symmetric matrices, close to equality, for G semidefinite.

    C is lower triangular. None where no factor was found.
    """
    n = len(G)
    if largest(G) == 0:
        return [[0] * n for _ in G], 0
    rounded, shift = _rounded(upper_triangle(G), bits)
    R = _factor(rounded, _margin(n, bits), bits)
    return None if R is None else (transpose([[0] * j + row for j, row in enumerate(R)]), shift)


def upper_triangle(S: Matrix) -> Matrix:
    """The rows of a square matrix, each from its diagonal on."""
    return [row[i:] for i, row in enumerate(S)]


def eliminates(S: Matrix) -> bool:
    """Exact symmetric elimination without fractions: whether S is positive semidefinite, singular matrices included."""
    rows, before = [list(row) for row in S], 1
    for k in range(len(rows)):
        pivot = rows[k][k]
        if pivot < 0 or (pivot == 0 and any(rows[k][k:])):
            return False
        if pivot == 0:  # a zero row of the remainder: nothing to eliminate
            continue
        for i in range(k + 1, len(rows)):
            factor = rows[i][k]
            rows[i] = [0] * (k + 1) + [
                (pivot * a - factor * b) // before for a, b in zip(rows[i][k + 1 :], rows[k][k + 1 :], strict=True)
            ]
        before = pivot
    return True


def _rounded(S: Matrix, bits: int = BITS) -> tuple[Matrix, int]:
    """(S', e) with S' within 1 of 2**e S entry by entry, its largest entry just below 2**bits, e even."""
    shift = bits - largest(S).bit_length()
    shift -= shift % 2
    if shift >= 0:
        return [[entry << shift for entry in row] for row in S], shift
    return [[entry >> -shift for entry in row] for row in S], shift


def _margin(n: int, bits: int = BITS) -> int:
    """n times the rounding of an entry (1) and the remainder of the factorisation (2 r_jj, as `_factor` limits it)."""
    return n * (1 + 2 * _limit(bits))


def _limit(bits: int) -> int:
    """Above every entry of a factor of a semidefinite matrix below 2**bits, moved by a margin of less than that."""
    return 1 << (bits // 2 + 1)


def _factor(upper: Matrix, shift: int, bits: int = BITS) -> Matrix | None:
    """R with R^T R = S + shift I up to the remainder, or None at a pivot that is not positive.

    S, symmetric, and R are given by the rows of their upper triangles, each from its diagonal on.
    """
    n, width, limit = len(upper), bits // 8 + 4, _limit(bits)
    packed: list[int] = []  # finished rows of R from column `start` on
    columns: Matrix = [[] for _ in range(n)]  # column j of R as far as it is known
    result: Matrix = []
    start = 0
    for j in range(n):
        if j - start == BLOCK:
            packed = [without_first(row, n - start, BLOCK, width) for row in packed]
            start = j
        taken = unpack(sum(map(mul, columns[j], packed)), n - start, width)[j - start :]
        rest = [a - b for a, b in zip(upper[j], taken, strict=True)]
        pivot = rest[0] + shift
        root = math.isqrt(pivot) if pivot > 0 else 0
        if root == 0:
            return None
        row = [root, *(entry // root for entry in rest[1:])]
        if largest([row]) >= limit:  # no semidefinite matrix does that; keeps `pack` in range
            return None
        packed.append(pack([0] * (j - start) + row, width))
        for column, entry in zip(columns[j + 1 :], row[1:], strict=True):
            column.append(entry)
        result.append(row)
    return result
