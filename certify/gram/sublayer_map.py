"""A sublayer's Jacobian L (I + J R) as a linear map of doubles, and the blocks of its Gram matrix.

J R before W_O are the rows T of `normed_rows`; L is the Jacobian of the norm after the sum, one block a token, or the
identity. With the midpoints of all of them as exact doubles the map is M = L^ (I + W_O T^), and block (i, i') of
M M^T is

    L^_i ( [i = i'] I + W_O (K_ii' W_O^T + T^_ii') + (W_O T^_i'i)^T ) L^_i'^T,     K_ii' = sum_j T^_ij T^_i'j^T.

Where the roundings go. With |T_ij| for the size of a block in moduli, the matrix in brackets is off by at most

    |W_O|^2 |fl(K) - K|_F + gamma_{2Hv+24} ( |W_O|_F^2 |K|_F + |W_O|_F (|T_ii'| + |T_i'i|) + [i = i'] sqrt(d) ),

and two products with L^ take that times |L^_i| |L^_i'| and add gamma_{2d+8} |L^_i|_F |L^_i'|_F times the size of what
they multiply. And for the true map,

    |L (I + J R) - M| <= |L - L^| (1 + |J R|) + |L^| |J R - W_O T^|.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..norms import euclidean_norm_upper
from ..sublayer.enclosed import EnclosedSublayer
from .blocks import UNDERFLOW
from .normed_rows import NormedRows, normed_rows
from .products import token_by_token
from .rounded_map import Tokens
from .rounded_rows import LARGEST, Mapper
from .schatten import frobenius, spectral_upper

_SQUARINGS = 4


@dataclass(frozen=True, eq=False)
class SublayerMap:
    """L^ (I + W_O T^) on n tokens of size d; `left_distance` is at least |L - L^|, 0 where L is the identity."""

    inner: NormedRows
    left: Array | None = None  # L^ (n, d, d)
    left_distance: float = 0.0

    @property
    def tokens(self) -> int:
        return self.inner.rows.tokens

    @property
    def output_size(self) -> int:
        return self.inner.rows.output_size

    @property
    def block_entries(self) -> int:
        return 2 * max(self.output_size, len(self.inner.rows.values)) ** 2

    @property
    def column_entries(self) -> int:
        rows = self.inner.rows
        return self.tokens * (self.tokens * max(rows.heads, 2) + rows.values.shape[1])

    @property
    def distance(self) -> float:
        """At least the distance of the true Jacobian from this map."""
        rows = self.inner.rows
        branch = rows.output_norm * self.inner.norm_upper + rows.distance
        stretch = float(self._left_norms.max())
        return (self.left_distance * (1.0 + branch) + stretch * rows.distance) * (1.0 + gamma(16)) + UNDERFLOW

    @cached_property
    def _left_norms(self) -> Array:
        """|L^_i|, rounded up: (n,)."""
        return np.ones(self.tokens) if self.left is None else spectral_upper(self.left, _SQUARINGS)

    @cached_property
    def _left_sizes(self) -> Array:
        """|L^_i|_F, rounded up: (n,)."""
        return np.zeros(self.tokens) if self.left is None else frobenius(self.left)

    @quiet
    def gram(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """Blocks (i, i') of M M^T for i' in `others` (m,): (m, d, d), and their errors in the Frobenius norm (m,)."""
        rows, sizes = self.inner.rows, self.inner.block_sizes
        K, error = self.inner.gram(i, others)
        forth, back = self.inner.blocks(i, others)
        crossed, own = sizes[i, others] + sizes[others, i], others == i
        size = frobenius(K)
        if rows.output is None:
            M = K + forth + back.mT
            total = size + crossed
        else:
            W, width = rows.output, frobenius(rows.output[None])[0]
            M = W @ (K @ W.T + forth) + (W @ back).mT
            total = width * (width * size + crossed)
            error = rows.output_norm**2 * error
        M[own] += np.eye(self.output_size)
        total = total + np.where(own, np.sqrt(self.output_size), 0.0)
        error = error + gamma(2 * len(rows.values) + 24) * total + 2.0 * UNDERFLOW
        if self.left is not None:
            size = frobenius(M)
            M = self.left[i] @ M @ self.left[others].mT
            error = self._left_norms[i] * self._left_norms[others] * error
            rounding = gamma(2 * self.output_size + 8) * size
            error = error + self._left_sizes[i] * self._left_sizes[others] * rounding + UNDERFLOW
        return M, error * (1.0 + gamma(32))

    def apply(self, vectors: BallMatrix) -> BallMatrix:
        """M applied to r inputs (n, d, r)."""
        heads = self.inner.apply(vectors)
        total = vectors + (heads if self._output is None else self._output @ heads)
        return total if self.left is None else token_by_token(self.left, total)

    def apply_transposed(self, vectors: BallMatrix) -> BallMatrix:
        """M^T applied to r outputs (n, d, r)."""
        total = vectors if self.left is None else token_by_token(self.left.mT, vectors)
        return total + self.inner.apply_transposed(total if self._output is None else self._output.T @ total)

    @cached_property
    def _output(self) -> BallMatrix | None:
        output = self.inner.rows.output
        return None if output is None else BallMatrix.exact(output)


@quiet
def sublayer_map(enclosed: EnclosedSublayer, each: Mapper = map) -> SublayerMap:
    """The midpoints of a sublayer's Jacobian at its input; `each` maps the heads.

    Raises NoEnclosure where anything overflows, is too large, or a variance may be 0.
    """
    inner = normed_rows(enclosed.activations, enclosed.before, each)
    if enclosed.after is None:
        return SublayerMap(inner)
    left = enclosed.after.jacobian
    if not np.abs(left.mid).max() < LARGEST:
        raise NoEnclosure("the Jacobian of the norm exceeds 2^100: no Gram blocks")
    return SublayerMap(inner, left.mid, float(euclidean_norm_upper(BallMatrix.exact(left.rad), (1, 2)).max()))
