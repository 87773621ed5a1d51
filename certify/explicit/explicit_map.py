"""A Jacobian as one matrix of doubles, and how far the true one can be from it.

Rows are enclosed one output token at a time and only their midpoints are kept: M, exactly. Its Gram blocks are plain
products, M_i M_i'^T off by at most gamma_N |M_i|_F |M_i'|_F for N inputs; all that the midpoints are off by, in the
Frobenius norm, is the theorem's `distance`.

It takes 36 (n d_out) N bytes and about (n d_out)^2 N operations, whatever the map; up to `LARGEST` entries are taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.arb import ARB
from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import InputError, NoEnclosure
from ..gram.rounded_map import Tokens
from ..gram.rounded_rows import norms_upper
from ..gram.schatten import frobenius
from ..lower.lanczos import NAME, Witnessed, leading_direction
from ..memory import PROGRAM, available_bytes, gigabytes
from ..norms import vector_norm
from ..outcome import Bound, Guarantee

LARGEST = 16_000**2
_BYTES = 36.0  # an entry, at the peak of deflation: measured
_OVERFLOW = 2.0**200
_UNDERFLOW = 2.0**-500


@dataclass(frozen=True, eq=False)
class ExplicitMap:
    """M (n, d_out, N), whose inputs are taken as one token of size N; `distance` is at least |J - M|."""

    matrix: Array
    distance: float

    @property
    def tokens(self) -> int:
        return self.matrix.shape[0]

    @property
    def output_size(self) -> int:
        return self.matrix.shape[1]

    @property
    def input_shape(self) -> tuple[int, int]:
        return 1, self.matrix.shape[2]

    @property
    def output_shape(self) -> tuple[int, int]:
        return self.matrix.shape[0], self.matrix.shape[1]

    @property
    def block_entries(self) -> int:
        return max(self.output_size**2, self.output_size * self.matrix.shape[2] // 8)

    @property
    def column_entries(self) -> int:
        return self.tokens * self.output_size + self.matrix.shape[2]

    @cached_property
    def _sizes(self) -> Array:
        """|M_i|_F, rounded up: (n,)."""
        return frobenius(self.matrix)

    @property
    def _flat(self) -> Array:
        return self.matrix.reshape(-1, self.matrix.shape[2])

    def jvp(self, E: Array) -> Array:
        return (self._flat @ E.ravel()).reshape(self.output_shape)

    def vjp(self, G: Array) -> Array:
        return (G.ravel() @ self._flat).reshape(self.input_shape)

    def apply(self, vectors: BallMatrix) -> BallMatrix:
        """M applied to r inputs (1, N, r)."""
        image = BallMatrix.exact(self._flat) @ vectors[0]
        return image.reshape(*self.output_shape, image.shape[1])

    def apply_transposed(self, vectors: BallMatrix) -> BallMatrix:
        """M^T applied to r outputs (n, d_out, r)."""
        image = BallMatrix.exact(self._flat.T) @ vectors.reshape(-1, vectors.shape[2])
        return image[None]

    @quiet
    def gram(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """Blocks (i, i') of M M^T for i' in `others` (m,): (m, d_out, d_out), and their errors (m,)."""
        blocks = np.stack([self.matrix[i] @ self.matrix[other].T for other in others])
        error = gamma(self.matrix.shape[2] + 2) * self._sizes[i] * self._sizes[others]
        return blocks, error * (1.0 + gamma(8)) + _UNDERFLOW

    def witness(self) -> Witnessed:
        """A proved lower bound of |J|: (|M u| - distance |u|) / |u| for one stored direction, rounded down."""
        u = leading_direction(self)
        image = vector_norm(self.apply(BallMatrix.exact(u)[..., None])).lower
        length = vector_norm(BallMatrix.exact(u)).upper
        quotient = ARB.number(image) / ARB.number(length) - ARB.number(self.distance)
        return Witnessed(u, Bound(max(ARB.bounds(quotient).lower, 0.0), "lower", Guarantee.WITNESS, NAME))


def require_explicit(outputs: int, inputs: int) -> None:
    """Raises InputError, with the figures, for more than `LARGEST` entries, or more than there is memory for."""
    if outputs * inputs > LARGEST:
        raise InputError(
            f"this map's Jacobian is written out, {outputs} outputs times {inputs} inputs: at most {LARGEST} entries "
            "are taken, ask for fewer tokens"
        )
    needed, available = PROGRAM + _BYTES * outputs * inputs, available_bytes()
    if needed > available:
        raise InputError(
            f"this map's Jacobian, written out, takes about {gigabytes(needed)} of memory, {gigabytes(available)} are "
            "available: ask for fewer tokens"
        )


@quiet
def explicit_map(rows: Iterable[BallMatrix], tokens: int) -> ExplicitMap:
    """The midpoints of the rows (d_out, N) of every output token, in order.

    Raises NoEnclosure where one overflows.
    """
    matrix, squares = np.empty(0), []
    for i, row in enumerate(rows):
        if i == 0:
            matrix = np.empty((tokens, *row.shape))
        matrix[i] = row.mid
        squares.append(float(norms_upper(row.rad.ravel())) ** 2)
        if not (squares[-1] < np.inf and np.abs(row.mid).max() < _OVERFLOW):
            raise NoEnclosure(f"the Jacobian of output {i} overflows or exceeds 2^200: no bound")
    distance = float(np.sqrt(np.sum(squares)) * (1.0 + gamma(len(squares) + 16)) + 2.0**-480)
    return ExplicitMap(matrix, distance)
