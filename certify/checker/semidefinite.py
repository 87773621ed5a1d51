"""Proofs that a symmetric integer matrix is positive semidefinite, by an integer Cholesky with counted residual.

Round S to about 200 bits and factor T = S' - m I: sums are exact integers, so the only errors are the floor divisions
by the pivot r_jj and the integer square roots. Entry by entry 0 <= T - R^T R <= 2 max_j r_jj (both rules leave a
remainder in that range), so |T - R^T R| <= 2 n max_j r_jj, and m pays for it together with the rounding of S.
"""

import math
from operator import mul

from .integers import Matrix, largest, pack, unpack

BITS = 200
SMALL = 48  # up to here exact elimination decides what the factorisation leaves open


def is_semidefinite(S: Matrix) -> bool:
    """Whether S (n, n), symmetric, was proved positive semidefinite; False means only that it was not."""
    if largest(S) == 0:
        return True
    rounded, _ = _rounded(S)
    return _factor(rounded, -_margin(rounded)) is not None or (len(S) <= SMALL and eliminates(S))


def root_above(G: Matrix) -> tuple[Matrix, int] | None:
    """(C, e), e even, with C C^T >= 2**e G in the order of symmetric matrices, close to equality, for G semidefinite.

    C is lower triangular. None where no factor was found.
    """
    if largest(G) == 0:
        return [[0] * len(G) for _ in G], 0
    rounded, shift = _rounded(G)
    R = _factor(rounded, _margin(rounded))
    return None if R is None else ([list(column) for column in zip(*R, strict=True)], shift)


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


def _rounded(S: Matrix) -> tuple[Matrix, int]:
    """(S', e) with S' within 1 of 2**e S entry by entry, symmetric, its largest entry near 2**BITS, e even."""
    shift = BITS - largest(S).bit_length()
    shift -= shift % 2
    if shift >= 0:
        return [[entry << shift for entry in row] for row in S], shift
    return [[entry >> -shift for entry in row] for row in S], shift


def _margin(S: Matrix) -> int:
    """n times the rounding of an entry (1) and the remainder of the factorisation (2 r_jj, as `_factor` limits it)."""
    n = len(S)
    return n * (1 + 2 * (1 << (BITS // 2 + 2)))


def _factor(S: Matrix, shift: int) -> Matrix | None:
    """Upper triangular R with R^T R = S + shift I up to the remainder, or None at a pivot that is not positive."""
    n = len(S)
    width = BITS // 8 + 4
    packed: list[int] = []  # finished rows of R
    columns: Matrix = [[] for _ in range(n)]  # column j of R as far as it is known
    result: Matrix = []
    for j in range(n):
        taken = unpack(sum(map(mul, columns[j], packed)), n, width)
        rest = [a - b for a, b in zip(S[j], taken, strict=True)]
        pivot = rest[j] + shift
        root = math.isqrt(pivot) if pivot > 0 else 0
        if root == 0 or root.bit_length() > BITS // 2 + 2:
            return None
        row = [0] * j + [root] + [entry // root for entry in rest[j + 1 :]]
        if largest([row]).bit_length() > BITS // 2 + 2:  # no semidefinite matrix does that; keeps `pack` in range
            return None
        packed.append(pack(row, width))
        for i in range(j + 1, n):
            columns[i].append(row[i])
        result.append(row)
    return result
