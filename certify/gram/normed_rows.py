"""Rounded rows behind a normalisation: what enters the layer is norm(x), and the derivative is in x.

The Jacobian of the norm at token j is s_j Gamma Pi (I - xhat_j xhat_j^T / d), so that row i and column j is

    T'_ij + w_ij xhat_j^T,    T'_ij = T_ij s_j Gamma Pi,    w_ij = -T'_ij xhat_j / d,

with T' the rows of `rounded_rows` for that norm. The midpoints of w and xhat are exact doubles of the map J^.

Gram blocks gain sum_j ( w_ij q_i'j^T + q_ij w_i'j^T + |xhat_j|^2 w_ij w_i'j^T ), q_ij = T'_ij xhat_j for the doubles.
Every monomial of both parts is a product of entries of the two rows, passes through at most 2n + 2d + 48 roundings, and
all of them together, in modulus, sum to at most the product of the rows' sizes: |fl(K) - K|_F is at most
gamma_{2n+2d+48} tau_i tau_i'.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..activations import Activations
from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..sublayer.norm_at_tokens import NormAtTokens
from .blocks import UNDERFLOW, GramBlocks
from .products import apply_heads, apply_heads_transposed
from .rounded_map import Tokens
from .rounded_rows import LARGEST, Mapper, RoundedRows, norms_upper, rounded_rows


@dataclass(frozen=True, eq=False)
class NormedRows:
    """T'_ij + w_ij xhat_j^T before W_O; where no norm stands before the layer, T_ij itself, and w is None."""

    rows: RoundedRows
    added: Array | None = None  # w (n, n, H v)
    unit: Array | None = None  # xhat (n, d)

    @cached_property
    @quiet
    def block_sizes(self) -> Array:
        """At least the Frobenius norm of each block, with moduli in place of its terms: (n, n)."""
        sizes = self.rows.block_sizes + np.diag(self.rows.diagonal_sizes)
        if self.added is not None and self.unit is not None:
            sizes = sizes + norms_upper(self.added) * norms_upper(self.unit)
        return sizes * (1.0 + gamma(8))

    @cached_property
    def row_sizes(self) -> Array:
        """tau_i: (n,)."""
        return norms_upper(self.block_sizes)

    @cached_property
    @quiet
    def norm_upper(self) -> float:
        """At least the spectral norm of all rows together."""
        return float(norms_upper(self.row_sizes))

    @cached_property
    def _gram(self) -> GramBlocks:
        return GramBlocks(self.rows)

    @cached_property
    @quiet
    def _image(self) -> Array:
        """q, (n, n, H v), rounded."""
        rows, n = self.rows, self.rows.tokens
        assert self.unit is not None
        value = self.unit @ rows.values.T  # V xhat_j
        image = rows.weights.transpose(0, 2, 1).repeat(rows.value_size, -1) * value
        slopes = (rows.gradient @ self.unit.T).transpose(0, 2, 1)  # <b_i, xhat_j>, (n, n, H)
        image += rows.scaled * slopes.repeat(rows.value_size, -1)
        here = np.arange(n)
        image[here, here] += (rows.diagonal @ self.unit[:, :, None])[..., 0]
        return image

    @quiet
    def gram(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """sum_j of block (i, j) times block (i', j)^T for i' in `others` (m,): (m, H v, H v), and the errors (m,)."""
        K, error = self._gram.inner(i, others)
        if self.added is None or self.unit is None:
            return K, error
        w, q = self.added, self._image
        square = np.square(self.unit).sum(-1)[:, None]
        left = np.concatenate([w[i], q[i]])
        right = np.concatenate([q[others] + square * w[others], w[others]], axis=1)
        K += left.T @ right
        count = 2 * (self.rows.tokens + self.unit.shape[1]) + 48
        return K, gamma(count) * self.row_sizes[i] * self.row_sizes[others] * (1.0 + gamma(8)) + 2.0 * UNDERFLOW

    @quiet
    def blocks(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """Blocks (i, i') and (i', i) for i' in `others`: each (m, H v, d), of at most eight roundings a monomial."""
        return self._blocks(np.full_like(others, i), others), self._blocks(others, np.full_like(others, i))

    def _blocks(self, here: Tokens, there: Tokens) -> Array:
        rows, v = self.rows, self.rows.value_size
        P, z, b = rows.weights[here, :, there].repeat(v, -1), rows.scaled[here, there], rows.gradient[here].repeat(v, 1)
        found = P[..., None] * rows.values + z[..., None] * b
        own = here == there
        found[own] += rows.diagonal[here[own]]
        if self.added is not None and self.unit is not None:
            found += self.added[here, there][..., None] * self.unit[there][:, None]
        return found

    def apply(self, vectors: BallMatrix) -> BallMatrix:
        """All rows applied to r inputs: (n, d, r) -> (n, H v, r)."""
        heads = apply_heads(self.rows, vectors)
        if self.added is None or self.unit is None:
            return heads
        n, _, r = vectors.shape
        along = (BallMatrix.exact(self.unit[:, None]) @ vectors).reshape(n, r)
        return heads + BallMatrix.exact(self.added.transpose(0, 2, 1)) @ along

    def apply_transposed(self, vectors: BallMatrix) -> BallMatrix:
        """The transpose of `apply`: (n, H v, r) -> (n, d, r)."""
        inputs = apply_heads_transposed(self.rows, vectors)
        if self.added is None or self.unit is None:
            return inputs
        n, Hv, r = vectors.shape
        slopes = BallMatrix.exact(self.added.transpose(1, 0, 2).reshape(n, n * Hv)) @ vectors.reshape(n * Hv, r)
        return inputs + BallMatrix.exact(self.unit[:, :, None]) * slopes[:, None]


@quiet
def normed_rows(activations: Activations, before: NormAtTokens | None, each: Mapper = map) -> NormedRows:
    """The rows of a layer whose tokens are the output of `before`, with all that their midpoints are off by.

    Raises NoEnclosure where the activations overflow or are too large.
    """
    rows = rounded_rows(activations, each, before)
    if before is None:
        return NormedRows(rows)
    unit, d = before.unit, before.norm.width
    step = NormedRows(rows, np.zeros(rows.scaled.shape), unit.mid)
    # |T' xhat / d - (the same of the midpoints)| <= (|T' - T^'| (|x| + rx) + |T^'| rx) / d, plus what rounds
    x, rx = norms_upper(unit.mid), norms_upper(unit.rad)
    added = -step._image / d
    sizes = (rows.block_sizes + np.diag(rows.diagonal_sizes)) * (1.0 + gamma(8))
    off = (rows.block_distance * (x + rx) + sizes * (rx + gamma(d + 16) * x)) / d
    distance = rows.block_distance + norms_upper(added) * rx + off * (x + rx)
    distance = distance * (1.0 + gamma(32)) + UNDERFLOW
    if not ((distance < np.inf).all() and np.abs(added).max() < LARGEST):
        raise NoEnclosure("the activations overflow or exceed 2^100: no Gram blocks")
    return NormedRows(replace(rows, block_distance=distance), added, unit.mid)
