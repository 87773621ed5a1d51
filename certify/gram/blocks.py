"""Blocks of the Gram matrix G = J^ J^^T of a Jacobian of doubles: G_ii' = W_O K_ii' W_O^T for a pair of tokens.

With T_ij as in `rounded_rows`, block (h, g) of K_ii' = sum_j T_ij T_i'j^T is

    a_hg V_h V_g^T + (V_h b^g_i') s_hg^T + t_hg (V_g b^h_i)^T + <b^h_i, b^g_i'> sum_j z^h_ij z^g_i'j^T
        + D_i T'_i'i^T + T'_ii' D_i'^T + [i = i'] D_i D_i^T,
    a_hg = sum_j P^h_ij P^g_i'j,   s_hg = sum_j P^h_ij z^g_i'j,   t_hg = sum_j z^h_ij P^g_i'j,   T' = T without D.

Plain floating point; the rounding is bounded a priori. Every monomial of this expansion is a product of entries of
T_ij and T_i'j, passes through at most n + d + 24 roundings, and all of them together, in modulus, sum to the product
of the rows' moduli, whose Frobenius norm is at most tau_i tau_i' (`row_sizes`). Hence |fl(K) - K|_F is at most
gamma_{n+d+24} tau_i tau_i'. Entries are below 2^100, so that underflow, which the model of `nearest` lets cost 2^-1022
an operation, adds less than 2^-500.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from .rounded_rows import RoundedRows, spread
from .schatten import frobenius

Tokens = NDArray[np.int_]

UNDERFLOW = 2.0**-500


@dataclass(frozen=True, eq=False)
class GramBlocks:
    """K_ii' and G_ii' for one token i and several tokens i', each with its error in the Frobenius norm."""

    rows: RoundedRows

    @cached_property
    def _diagonal_value(self) -> Array:
        """D_i V^T: (n, H v, H v)."""
        return self.rows.diagonal @ self.rows.values.T

    def inner(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """K_ii' for i' in `others` (m,): (m, H v, H v), and the errors (m,)."""
        rows, H, v = self.rows, self.rows.heads, self.rows.value_size
        m, Hv = len(others), H * v
        P, z, b = rows.weights, rows.scaled, rows.gradient
        pairs = P[i] @ P[others].mT  # a: (m, H, H)
        K = spread(pairs, v) * rows.value_gram
        second = z[i].T @ z[others]
        second *= spread(b[i] @ b[others].mT, v)
        K += second
        by_head = K.reshape(m, H, v, H, v)
        t = (z[i].T @ P[others].mT).reshape(m, H, v, H, 1)
        by_head += t * rows.value_gradient[i].reshape(1, H, 1, H, v)
        s = (P[i] @ z[others]).reshape(m, H, 1, H, v)
        by_head += s * rows.value_gradient[others].mT.reshape(m, H, v, H, 1)
        # D_i T'_i'i^T and its mirror image
        here = (b[others].reshape(m * H, -1) @ rows.diagonal[i].T).reshape(m, H, Hv).mT  # D_i b^g_i'
        by_column = K.reshape(m, Hv, H, v)
        by_column += here[..., None] * z[others, i].reshape(m, 1, H, v)
        by_column += P[others, :, i][:, None, :, None] * self._diagonal_value[i].reshape(1, Hv, H, v)
        there = b[i] @ rows.diagonal[others].mT  # D_i' b^h_i: (m, H, Hv)
        by_row = K.reshape(m, H, v, Hv)
        by_row += z[i, others].reshape(m, H, v, 1) * there[:, :, None]
        by_row += P[i][:, others].T[:, :, None, None] * self._diagonal_value[others].mT.reshape(m, H, v, Hv)
        K[others == i] += rows.diagonal[i] @ rows.diagonal[i].T
        count = rows.tokens + rows.values.shape[1] + 24
        return K, gamma(count) * rows.row_sizes[i] * rows.row_sizes[others] * (1.0 + gamma(8)) + UNDERFLOW

    def outer(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """G_ii' for i' in `others`: (m, d_out, d_out), and the errors (m,).

        |fl(W K W^T) - W K W^T|_F <= gamma_{2 H v} |W|_F^2 |K|_F for the computed K, and |W|^2 times its own error.
        """
        K, error = self.inner(i, others)
        W = self.rows.output
        if W is None:
            return K, error
        size = frobenius(W[None])[0] ** 2 * frobenius(K)
        error = self.rows.output_norm**2 * error + gamma(2 * W.shape[1] + 8) * size + UNDERFLOW
        return W @ K @ W.T, error * (1.0 + gamma(8))
