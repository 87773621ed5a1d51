"""A proved lower bound of an inverse, G <= (N + ridge I)^-1 in the order of symmetric matrices.

With C C^T >= N + ridge I, C lower triangular, and any X with X C = I + E and |E| <= e < 1,

    X^T X = C^-T (I + E)^T (I + E) C^-1 <= (1 + e)^2 (C C^T)^-1 <= (1 + e)^2 (N + ridge I)^-1.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from .exact import Exact
from .integers import Matrix, largest, pack, product, unpack, upper_gram
from .norms import upper_root


@dataclass(frozen=True)
class UpperTriangle:
    """A symmetric matrix by the rows of its upper triangle, each from the diagonal on, times a unit."""

    rows: Matrix
    unit: Fraction


def below_inverse(N: Exact, ridge: Fraction, bits: int) -> UpperTriangle | None:
    """G for a semidefinite N (n, n) and ridge > 0; None where no good X was found.

    `bits` are those of N in the factorisation, about half as many those of C and X.
    """
    n, places, share = len(N.rows), bits // 2 + 2, ridge / N.unit
    top, bottom = share.numerator, share.denominator
    shifted = [[bottom * entry + top * (a == b) for b, entry in enumerate(row)] for a, row in enumerate(N.rows)]
    C = upper_root(Exact(shifted, N.unit / bottom), bits)
    if C is None:
        return None
    ones = int((1 << places) / C.unit)  # I in the unit of X C, rounded down
    limit = 2 * math.isqrt(int((1 << 2 * places) / ridge) + 1)  # twice ridge^(-1/2) >= |C^-1|, in the unit of X
    X = _inverse(C.rows, ones, limit)
    if X is None:
        return None
    defect = [[entry - ones * (a == b) for b, entry in enumerate(row)] for a, row in enumerate(product(X, C.rows))]
    e = n * (largest(defect) + 1) * C.unit / (1 << places)
    return UpperTriangle(upper_gram(X, 1), 1 / ((1 + e) ** 2 * (1 << 2 * places))) if e < 1 else None


def _inverse(C: Matrix, ones: int, limit: int) -> Matrix | None:
    """About ones C^-1 for a lower triangular C, row by row; None where an entry exceeds `limit`."""
    n = len(C)
    width = (limit.bit_length() + largest(C).bit_length() + n.bit_length()) // 8 + 2
    packed: list[int] = []
    rows: Matrix = []
    for i, row in enumerate(C):
        if row[i] <= 0:
            return None
        taken = unpack(sum(map(mul, row, packed)), n, width)
        found = [(ones * (i == j) - entry) // row[i] for j, entry in enumerate(taken)]
        if largest([found]) > limit:
            return None
        packed.append(pack(found, width))
        rows.append(found)
    return rows
