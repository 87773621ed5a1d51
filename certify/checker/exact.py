"""Matrices that are exactly an integer matrix times one positive rational unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from . import integers
from .integers import Matrix


@dataclass(frozen=True)
class Exact:
    """The matrix rows * unit."""

    rows: Matrix
    unit: Fraction

    @property
    def T(self) -> "Exact":
        return Exact(integers.transpose(self.rows), self.unit)

    def __matmul__(self, other: "Exact") -> "Exact":
        return Exact(integers.product(self.rows, other.rows), self.unit * other.unit)

    def gram(self) -> "Exact":
        """M M^T."""
        return self @ self.T

    def slice(self, start: int, stop: int) -> "Exact":
        """Rows start to stop."""
        return Exact(self.rows[start:stop], self.unit)

    def columns(self, start: int, stop: int) -> "Exact":
        return Exact([row[start:stop] for row in self.rows], self.unit)


def exact(values: Sequence[Sequence[float | Fraction]]) -> Exact:
    """Dyadic rationals, as all floats are, brought to their common denominator: nothing is rounded."""
    ratios = [[value.as_integer_ratio() for value in row] for row in values]
    common = max(denominator for row in ratios for _, denominator in row)
    return Exact([[top * (common // bottom) for top, bottom in row] for row in ratios], Fraction(1, common))


def plus(left: Exact, right: Exact) -> Exact:
    """The sum of two matrices of one shape, on a unit that fits both."""
    unit = Fraction(1, left.unit.denominator * right.unit.denominator)
    a, b = int(left.unit / unit), int(right.unit / unit)
    rows = [[a * x + b * y for x, y in zip(*pair, strict=True)] for pair in zip(left.rows, right.rows, strict=True)]
    return Exact(rows, unit)


def through_normalisation(weight: Exact, gamma: Exact) -> Exact:
    """W Gamma Pi with Gamma = diag(gamma) and Pi = I - 1 1^T / d: columns times gamma, then every row less its mean."""
    d = len(gamma.rows[0])
    scaled = [[entry * factor for entry, factor in zip(row, gamma.rows[0], strict=True)] for row in weight.rows]
    centred = [[d * entry - total for entry in row] for row in scaled for total in (sum(row),)]
    return Exact(centred, weight.unit * gamma.unit / d)
