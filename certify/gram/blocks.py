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

from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from .rounded_map import Tokens
from .rounded_rows import RoundedRows
from .schatten import frobenius

UNDERFLOW = 2.0**-500


@dataclass(frozen=True, eq=False)
class GramBlocks:
    """K_ii' and G_ii' for one token i and several tokens i', each with its error in the Frobenius norm."""

    rows: RoundedRows

    @cached_property
    def _value_diagonal(self) -> Array:
        """V D_i^T: (n, H v, H v)."""
        return self.rows.values @ self.rows.diagonal.mT

    def inner(self, i: int, others: Tokens) -> tuple[Array, Array]:
        """K_ii' for i' in `others` (m,): (m, H v, H v), and the errors (m,)."""
        rows, H, v = self.rows, self.rows.heads, self.rows.value_size
        m, Hv = len(others), H * v
        P, z, b = rows.weights, rows.scaled, rows.gradient
        K, term = np.empty((m, Hv, Hv)), z[i].T @ z[others]
        term.reshape(m, H, v, H, v)[:] *= _over_blocks(b[i] @ b[others].mT)
        by_pair = K.reshape(m, H, v, H, v)
        np.multiply(_over_blocks(P[i] @ P[others].mT), rows.value_gram.reshape(H, v, H, v), out=by_pair)
        K += term
        # of D_i T'_i'i^T and its mirror image the parts that are no outer products: D_i V^T with scaled columns or rows
        columns, lines = P[others, :, i][:, None, :, None], P[i][:, others].T[:, :, None, None]
        np.multiply(self._value_diagonal[i].T.reshape(Hv, H, v), columns, out=term.reshape(m, Hv, H, v))
        K += term
        np.multiply(self._value_diagonal[others].reshape(m, H, v, Hv), lines, out=term.reshape(m, H, v, Hv))
        K += term
        # the outer products of row block h, side by side for BLAS: over g those with t and s, and z_ii' (D_i' b^h_i)^T
        left, right = np.empty((m, H, v, 2 * H + 1)), np.zeros((m, H, 2 * H + 1, H, v))
        g = np.arange(H)
        left[..., :H] = (z[i].T @ P[others].mT).reshape(m, H, v, H)
        right[:, :, g, g] = rows.value_gradient[i].reshape(H, H, v)
        left[..., H : 2 * H] = rows.value_gradient[others].mT.reshape(m, H, v, H)
        right[:, :, H + g, g] = (P[i] @ z[others]).reshape(m, H, H, v)
        left[..., -1] = z[i, others].reshape(m, H, v)
        right[:, :, -1] = (b[i] @ rows.diagonal[others].mT).reshape(m, H, H, v)
        np.matmul(left, right.reshape(m, H, -1, Hv), out=term.reshape(m, H, v, Hv))
        K += term
        here = (b[others].reshape(m * H, -1) @ rows.diagonal[i].T).reshape(m, H, Hv)  # D_i b^g_i'
        right = np.zeros((m, H, H, v))
        right[:, g, g] = z[others, i].reshape(m, H, v)
        K += np.matmul(here.mT, right.reshape(m, H, Hv), out=term)
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


def _over_blocks(pairs: Array) -> Array:
    """One number a pair of heads, to be broadcast over its v x v block: (m, H, H) -> (m, H, 1, H, 1)."""
    return pairs[:, :, None, :, None]
