"""Rotary positions: before the scores, token i's query and key are multiplied by Rot_i, pair by pair of their entries.

    (a, b) -> (a cos - b sin, a sin + b cos)      with the cos and sin of that position and pair.

Two statements are offered, and a certificate says which one it makes:

- `Rotary.stored(cos, sin)`: the map that multiplies by these doubles. That is what a model computes that keeps such
  tables, whatever they are (scaled angles included); they need not be rotations exactly.
- `Rotary.of_angles(theta)`: the map with the true cosines and sines of the angles position * theta^(-2 l / size), real
  numbers that no float is; they are enclosed by balls of about 2^-53, whose radii go where all radii go.
"""

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from flint import arb, ctx, fmpq
from numpy.typing import ArrayLike

from ..arithmetic.matrices import BallMatrix
from ..errors import ModelError

Layout = Literal["half", "interleaved"]
_BITS = 160


@dataclass(frozen=True, eq=False)
class Rotary:
    """cos and sin (positions, pairs) for the first 2 pairs entries of a head; the others are left as they are.

    The entries of a pair are l and l + pairs in the layout "half" (Llama), 2 l and 2 l + 1 in "interleaved".

    Raises ModelError for an unknown layout, or tables of different shapes, without entries or with nan or infinity.
    """

    cos: BallMatrix
    sin: BallMatrix
    layout: Layout = "half"
    statement: str = "the stored cosines and sines"

    def __post_init__(self) -> None:
        if self.layout not in get_args(Layout):
            raise ModelError(f"the layout of rotary positions is half or interleaved, not {self.layout!r}")
        if self.cos.ndim != 2 or self.cos.shape != self.sin.shape or 0 in self.cos.shape:
            shapes = f"(positions, pairs), not {self.cos.shape} and {self.sin.shape}"
            raise ModelError(f"the cosines and sines of rotary positions have one shape {shapes}")
        if not (np.isfinite(self.cos.rad).all() and np.isfinite(self.sin.rad).all()):
            raise ModelError("the cosines and sines of rotary positions are finite, these hold nan or infinity")

    @classmethod
    def stored(cls, cos: ArrayLike, sin: ArrayLike, layout: Layout = "half") -> "Rotary":
        """The tables as the doubles they are, (positions, pairs): float16 and float32 convert exactly."""
        tables = [np.asarray(table, dtype=np.float64) for table in (cos, sin)]
        if not all(np.isfinite(table).all() for table in tables):
            raise ModelError("the cosines and sines of rotary positions are finite, these hold nan or infinity")
        return cls(BallMatrix.exact(tables[0]), BallMatrix.exact(tables[1]), layout)

    @classmethod
    def of_angles(
        cls, positions: int, size: int, theta: float = 10_000.0, layout: Layout = "half", first: int = 0
    ) -> "Rotary":
        """The true cosines and sines of (first + p) theta^(-2 l / size), l = 0 to size/2 - 1, theta the double itself.

        Raises ModelError unless size is even and positive, and theta and the number of positions are positive.
        """
        if size < 2 or size % 2 or positions < 1 or not 0.0 < theta < np.inf:
            raise ModelError(f"no rotary positions of {positions} tokens, size {size} (an even one) and theta {theta}")
        cos, sin = np.empty((2, 2, positions, size // 2))
        old, ctx.prec = ctx.prec, _BITS
        try:
            for pair in range(size // 2):
                rate = arb(theta) ** arb(fmpq(-2 * pair, size))
                for p in range(positions):
                    angle = rate * (first + p)
                    cos[:, p, pair], sin[:, p, pair] = _ball(angle.cos()), _ball(angle.sin())
        finally:
            ctx.prec = old
        words = f"the true cosines and sines of position * {Fraction(theta)}^(-2 l / {size}) from position {first} on"
        return cls(BallMatrix(*cos), BallMatrix(*sin), layout, words)

    @property
    def positions(self) -> int:
        return self.cos.shape[0]

    @property
    def size(self) -> int:
        """How many entries of a head are rotated."""
        return 2 * self.cos.shape[1]

    @property
    def sha256(self) -> str:
        """Of the little-endian doubles of the tables: cosines, sines, and the radii of both."""
        tables = (self.cos.mid, self.sin.mid, self.cos.rad, self.sin.rad)
        return hashlib.sha256(b"".join(np.ascontiguousarray(t, dtype="<f8").tobytes() for t in tables)).hexdigest()

    def turned(self, rows: BallMatrix) -> BallMatrix:
        """Rot_i x_i for rows (..., n, k), the position being the second last index."""
        return self._turned(rows, self.sin)

    def turned_back(self, rows: BallMatrix) -> BallMatrix:
        """Rot_i^T x_i."""
        return self._turned(rows, -self.sin)

    def at(self, position: int) -> "Rotary":
        """The same with the table of one position only, for rows (..., 1, k), or any number of them."""
        here = slice(position, position + 1)
        return Rotary(self.cos[here], self.sin[here], self.layout, self.statement)

    def _turned(self, rows: BallMatrix, sin: BallMatrix) -> BallMatrix:
        n = rows.shape[-2] if self.positions > 1 else 1
        cos, sin = self.cos[:n], sin[:n]
        first, second = self._pairs()
        a, b = rows[..., first], rows[..., second]
        left, right = a * cos - b * sin, a * sin + b * cos
        mid, rad = rows.mid.copy(), rows.rad.copy()
        mid[..., first], rad[..., first] = left.mid, left.rad
        mid[..., second], rad[..., second] = right.mid, right.rad
        return BallMatrix(mid, rad)

    def _pairs(self) -> tuple[slice, slice]:
        if self.layout == "half":
            return slice(0, self.size // 2), slice(self.size // 2, self.size)
        return slice(0, self.size, 2), slice(1, self.size, 2)


def _ball(value: arb) -> tuple[float, float]:
    """A double and a radius around it that holds the real number."""
    mid = float(value.mid())
    distance = abs(value - arb(mid)).upper()
    return mid, float(np.nextafter(float(distance) * (1.0 + 2.0**-50), np.inf))
