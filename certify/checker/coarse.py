"""Matrices in a chosen number of binary places with a counted error.

Few places make the products of long packed rows several times as fast: enough where what is to be proved has a margin.
"""

from dataclasses import dataclass
from functools import cached_property

from . import fixed, integers
from .integers import Matrix


@dataclass(frozen=True)
class Coarse:
    """Entry by entry |true - rows| <= error, in units of 2**-places, or of 2**(-2 places) for a product."""

    rows: Matrix
    error: int

    @cached_property
    def largest(self) -> int:
        return integers.largest(self.rows)

    @property
    def T(self) -> "Coarse":
        return Coarse(integers.transpose(self.rows), self.error)


def coarse(matrix: fixed.Fixed, places: int) -> Coarse:
    """Rounded down to `places`, of at most fixed.PLACES."""
    shift = fixed.PLACES - places
    return Coarse([[entry >> shift for entry in row] for row in matrix.rows], (matrix.error >> shift) + 2)


def shortened(product: Coarse, places: int) -> Coarse:
    """A product in units of 2**(-2 places), rounded down to units of 2**-places."""
    return Coarse([[entry >> places for entry in row] for row in product.rows], (product.error >> places) + 2)


def times(left: Coarse, right: Coarse) -> Coarse:
    """The product of two matrices, exact but for their errors."""
    return Coarse(integers.product(left.rows, right.rows), len(right.rows) * product_error(left, right))


def product_error(left: Coarse, right: Coarse) -> int:
    """What the product of one entry of each can be off by: |ab - AB| <= |a| |b - B| + |b| |a - A| + |a - A| |b - B|."""
    return left.largest * right.error + right.largest * left.error + left.error * right.error
