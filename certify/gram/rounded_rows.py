"""A Jacobian made of doubles only, and how far the true one can be from it.

With the letters of `activations`, row i and column j of a layer's Jacobian are W_O T_ij, where head h of T_ij is

    P^h_ij V_h + z^h_ij b^h_i^T + [i = j] D^h_i,      z_ij = P_ij u_ij,   u_ij = y_j - mu_i,   D_i = V C_i A.

`RoundedRows` takes the midpoints of P, z, b and D as exact doubles. They define another linear map, J^, exactly; every
later step is about J^, and |J - J^| is added at the end. So activations are enclosed once, and all that follows is
plain floating point with counted roundings.

Where a normalisation stands before the layer, with the Jacobian s_j Gamma Pi (I - xhat_j xhat_j^T / d) of
`sublayer.token_norm` at token j, the rows are those of T_ij s_j Gamma Pi: of the same form, with s_j P_ij, s_j z_ij,
s_i D_i Gamma Pi, V Gamma Pi and Pi Gamma b_i in place of P, z, D, V and b. What is left is in `normed_rows`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..activations import Activations
from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..norms import spectral_norm
from ..sublayer.norm_at_tokens import NormAtTokens

LARGEST = 2.0**100  # of every entry: then no product of four overflows, and no underflow is ever seen


@dataclass(frozen=True, eq=False)
class RoundedRows:
    """H heads of value size v on n tokens of size d, as exact doubles.

    `block_distance` bounds |T_ij - T^_ij|, rounded up.
    """

    weights: Array  # P (n, H, n): row token, head, column token
    scaled: Array  # z (n, n, H v): row token, column token
    gradient: Array  # b (n, H, d)
    diagonal: Array  # D (n, H v, d)
    values: Array  # V (H v, d), or V Gamma Pi, rounded
    output: Array | None  # W_O (d_out, H v); without it the heads stay side by side
    block_distance: Array  # (n, n)

    @property
    def tokens(self) -> int:
        return len(self.weights)

    @property
    def heads(self) -> int:
        return self.weights.shape[1]

    @property
    def value_size(self) -> int:
        return len(self.values) // self.heads

    @property
    def output_size(self) -> int:
        return len(self.values) if self.output is None else len(self.output)

    @cached_property
    @quiet
    def distance(self) -> float:
        """At least |J - J^|, from the Frobenius norm of all blocks."""
        total = norms_upper(self.block_distance.reshape(-1))
        return float(self.output_norm * total * (1.0 + gamma(4)) + 2.0**-480)

    @cached_property
    def output_norm(self) -> float:
        """|W_O|, rounded up."""
        return 1.0 if self.output is None else spectral_norm(BallMatrix.exact(self.output)).upper

    @cached_property
    @quiet
    def block_sizes(self) -> Array:
        """At least the Frobenius norm of |P_ij| |V| + |z_ij| |b_i|^T over all heads: (n, n)."""
        n, H, v = self.tokens, self.heads, self.value_size
        value = norms_upper(self.values.reshape(H, -1))
        block = np.abs(self.weights) * value[:, None]
        block += norms_upper(self.scaled.reshape(n, n, H, v)).transpose(0, 2, 1) * norms_upper(self.gradient)[..., None]
        return norms_upper(block.transpose(0, 2, 1)) * (1.0 + gamma(8))

    @cached_property
    def diagonal_sizes(self) -> Array:
        """|D_i|_F, rounded up: (n,)."""
        return norms_upper(self.diagonal.reshape(self.tokens, -1))

    @cached_property
    def row_sizes(self) -> Array:
        """tau_i, at least the Frobenius norm of row i with |P| |V| + |z| |b|^T + |D| in place of its blocks: (n,)."""
        return (norms_upper(self.block_sizes) + self.diagonal_sizes) * (1.0 + gamma(8))

    @cached_property
    def value_gram(self) -> Array:
        """V V^T: (H v, H v)."""
        return self.values @ self.values.T

    @cached_property
    def value_gradient(self) -> Array:
        """V_g b^h_i for all g: (n, H, H v)."""
        return self.gradient @ self.values.T

    def own_block(self, i: int) -> Array:
        """T_ii, rounded: (H v, d)."""
        P, v = self.weights[i, :, i].repeat(self.value_size), self.value_size
        own = self.values * P[:, None] + self.scaled[i, i][:, None] * self.gradient[i].repeat(v, 0)
        return own + self.diagonal[i]


Mapper = Callable[[Callable[[int], tuple[Array, Array]], Sequence[int]], Iterable[tuple[Array, Array]]]


@quiet
def rounded_rows(activations: Activations, each: Mapper = map, before: NormAtTokens | None = None) -> RoundedRows:
    """The rows of a layer at one point, head by head so that radii are not kept; `each` maps the heads.

    `before` is the normalisation whose output enters the layer, if there is one.

    Raises NoEnclosure where the activations overflow or are too large.
    """
    layer, n = activations.layer, len(activations.X)
    H, v, d = layer.value_weight.shape
    weights, gradient = activations.weights, activations.gradient
    value, mean_value = activations.value, activations.mean_value
    keys, mean_key = activations.key, activations.mean_key
    values = BallMatrix.exact(layer.value_weight)
    scaled, diagonal, kept = np.empty((n, n, H, v)), np.empty((n, H, v, d)), np.empty((H, n, n))
    if before is not None:
        gradient, values = before.projected_columns(gradient), before.projected_columns(values)

    @quiet
    def head(h: int) -> tuple[Array, Array]:
        """Fills in z and D of one head; the squares of what its blocks and its D are off by."""
        P = weights[h]
        z = (value[h][None] - mean_value[h][:, None]) * P[..., None]
        key = keys[h][None] - mean_key[h][:, None]
        D = ((z.T @ key) * activations.scale) @ BallMatrix.exact(layer.query_weight[h])
        if before is not None:
            P, z = P * before.inverse, z * before.inverse[:, None]
            D = before.projected_columns(D) * before.inverse[:, None, None]
        kept[h], scaled[:, :, h], diagonal[:, h] = P.mid, z.mid, D.mid
        off = _distance(P, z, gradient[h], values[h])
        return off, norms_upper(D.rad.reshape(n, -1)) ** 2

    square, diagonal_square = np.zeros((n, n)), np.zeros(n)
    for off, own in each(head, range(H)):  # in the order of the heads, whoever computed them
        square += off
        diagonal_square += own
    distance = np.sqrt(square)
    distance[np.diag_indices(n)] += np.sqrt(diagonal_square)
    rows = RoundedRows(
        weights=np.ascontiguousarray(kept.transpose(1, 0, 2)),
        scaled=scaled.reshape(n, n, H * v),
        gradient=np.ascontiguousarray(gradient.mid.transpose(1, 0, 2)),
        diagonal=diagonal.reshape(n, H * v, d),
        values=values.mid.reshape(H * v, d),
        output=None if layer.output_weight is None else layer.output_weight.reshape(-1, H * v),
        block_distance=distance * (1.0 + gamma(4 * H + 32)) + 2.0**-480,
    )
    _check_size(rows)
    return rows


def _distance(weights: BallMatrix, z: BallMatrix, gradient: BallMatrix, values: BallMatrix) -> Array:
    """|P_ij V + z_ij b_i^T - (the same of the midpoints)|_F^2 for each pair, up to counted roundings: (n, n)."""
    value, rv = norms_upper(values.mid.reshape(-1)), norms_upper(values.rad.reshape(-1))
    rz, rb = norms_upper(z.rad), norms_upper(gradient.rad)[:, None]
    error = (
        weights.rad * (value + rv)
        + np.abs(weights.mid) * rv
        + rz * (norms_upper(gradient.mid)[:, None] + rb)
        + norms_upper(z.mid) * rb
    )
    return error**2


def spread(pairs: Array, v: int) -> Array:
    """One number a pair of heads, over its v x v block: (..., H, H) -> (..., H v, H v)."""
    return pairs.repeat(v, -2).repeat(v, -1)


def norms_upper(values: Array) -> Array:
    """Euclidean norms along the last axis, rounded up, without copies: squares that underflow add less than 2^-480."""
    return np.sqrt(np.einsum("...k,...k->...", values, values)) * (1.0 + gamma(values.shape[-1] + 8)) + 2.0**-480


def _check_size(rows: RoundedRows) -> None:
    parts = (rows.weights, rows.scaled, rows.gradient, rows.diagonal, rows.values, rows.output)
    if not (
        (rows.block_distance < np.inf).all()
        and all(max(p.max(initial=0.0), -p.min(initial=0.0)) < LARGEST for p in parts if p is not None)
    ):
        raise NoEnclosure("the activations overflow or exceed 2^100: no Gram blocks")
