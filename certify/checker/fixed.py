"""Fixed-point matrices with a counted error: true entries are within `error` of `rows`, in units of 2**-PLACES."""

import math
from dataclasses import dataclass
from fractions import Fraction

from . import integers
from .exact import Exact
from .integers import Matrix

PLACES = 112
ONE = 1 << PLACES


@dataclass(frozen=True)
class Fixed:
    """Entry by entry |true * 2**PLACES - rows| <= error."""

    rows: Matrix
    error: int

    @property
    def T(self) -> "Fixed":
        return Fixed(integers.transpose(self.rows), self.error)

    def slice(self, start: int, stop: int) -> "Fixed":
        """Rows start to stop."""
        return Fixed(self.rows[start:stop], self.error)

    def columns(self, start: int, stop: int) -> "Fixed":
        return Fixed([row[start:stop] for row in self.rows], self.error)

    def __matmul__(self, other: "Fixed") -> "Fixed":
        """The product; |ab - AB| <= |a| |b - B| + |a - A| |b| + |a - A| |b - B| summed over the inner index."""
        error = _row_sum(self.rows) * other.error + _column_sum(other.rows) * self.error
        error += len(other.rows) * self.error * other.error
        return _scaled_down(integers.product(self.rows, other.rows), error)

    def __add__(self, other: "Fixed") -> "Fixed":
        rows = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(self.rows, other.rows, strict=True)]
        return Fixed(rows, self.error + other.error)

    def __sub__(self, other: "Fixed") -> "Fixed":
        rows = [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(self.rows, other.rows, strict=True)]
        return Fixed(rows, self.error + other.error)

    def times(self, other: "Fixed") -> "Fixed":
        """Entry by entry; `other` may be a single row, column or number."""
        tall, wide = len(other.rows) > 1, len(other.rows[0]) > 1
        rows = [[a * other.rows[i * tall][j * wide] for j, a in enumerate(row)] for i, row in enumerate(self.rows)]
        error = integers.largest(self.rows) * other.error + integers.largest(other.rows) * self.error
        return _scaled_down(rows, error + self.error * other.error)

    def row_sums(self) -> "Fixed":
        """One column."""
        return Fixed([[sum(row)] for row in self.rows], self.error * len(self.rows[0]))

    def norm_square_at_least(self, bound: Fraction) -> bool:
        """Whether the sum of the squares of all true entries is proved to be at least `bound`."""
        least = sum(max(abs(entry) - self.error, 0) ** 2 for row in self.rows for entry in row)
        return Fraction(least, ONE * ONE) >= bound


def fixed(matrix: Exact) -> Fixed:
    """Rounded down where a binary place beyond PLACES is left."""
    top, bottom = matrix.unit.numerator << PLACES, matrix.unit.denominator
    if top % bottom == 0:
        return Fixed([[entry * (top // bottom) for entry in row] for row in matrix.rows], 0)
    rows = [[entry * top // bottom for entry in row] for row in matrix.rows]
    whole = all(entry * top % bottom == 0 for row in matrix.rows for entry in row)
    return Fixed(rows, 0 if whole else 1)


def root(value: Fraction) -> Fixed:
    """sqrt(value) as a 1 x 1 matrix."""
    return Fixed([[math.isqrt(math.floor(value * ONE * ONE))]], 1)


def column(bias: Exact, count: int) -> Fixed:
    """A (k, 1) vector repeated as `count` rows: (count, k)."""
    row = fixed(bias.T)
    return Fixed(row.rows * count, row.error)


def symmetric(matrix: Fixed) -> Fixed:
    """The symmetric part of the rows, which is as close to a symmetric true matrix."""
    rows = [[(a + b) >> 1 for a, b in zip(*pair, strict=True)] for pair in zip(matrix.rows, matrix.T.rows, strict=True)]
    return Fixed(rows, matrix.error + 1)


def beside(*parts: Fixed) -> Fixed:
    """Matrices of one height, side by side."""
    rows = [[entry for part in row for entry in part] for row in zip(*(part.rows for part in parts), strict=True)]
    return Fixed(rows, max(part.error for part in parts))


def stacked(*parts: Fixed) -> Fixed:
    """Matrices of one width, one above the other."""
    return Fixed([row for part in parts for row in part.rows], max(part.error for part in parts))


def _scaled_down(rows: Matrix, error: int) -> Fixed:
    """Products have units of 2**(-2 PLACES): rounded down, which an exact zero or one survives without any error."""
    if error == 0 and not any(entry & (ONE - 1) for row in rows for entry in row):
        return Fixed([[entry >> PLACES for entry in row] for row in rows], 0)
    return Fixed([[entry >> PLACES for entry in row] for row in rows], (error >> PLACES) + 2)


def _row_sum(rows: Matrix) -> int:
    return max(sum(map(abs, row)) for row in rows)


def _column_sum(rows: Matrix) -> int:
    return max(sum(map(abs, entries)) for entries in zip(*rows, strict=True))
