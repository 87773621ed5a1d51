"""The derivative of an attention pair at given tokens, row by row of its outputs, every number enclosed.

With q_i and k_j rotated, biases included, v_j = W_V y_j without its bias, mu_i = sum_j P_ij v_j, u_ij = v_j - mu_i and
kappa_i = sum_j P_ij k_j, the derivative of output i before W_O is

    in x_i:   D_i = scale sum_j P_ij u_ij (k_j - kappa_i)^T Rot_i W_Q
    in y_j:   P_ij W_V + P_ij u_ij (scale W_K^T Rot_j^T q_i)^T.

The key bias drops out of the softmax only where keys are not rotated; without rotations it is left out.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.arb import ARB
from ..arithmetic.elementary import softmax
from ..arithmetic.matrices import BallMatrix
from .attention_pair import AttentionPair


@dataclass(frozen=True, eq=False)
class AttentionRows:
    """`pair` at balls around X (n, d) and Y (m, d_y)."""

    pair: AttentionPair
    X: BallMatrix
    Y: BallMatrix

    @cached_property
    def scale(self) -> BallMatrix:
        root = ARB.bounds(ARB.sqrt(ARB.number(self.pair.scale_squared)))
        return BallMatrix.between(np.float64(root.lower), np.float64(root.upper))

    @cached_property
    def query(self) -> BallMatrix:
        """Rot_i (W_Q x_i + b_Q), (H, n, k)."""
        rows = self.X @ BallMatrix.exact(self.pair.query_weight).T + BallMatrix.exact(self.pair.query_bias[:, None])
        return rows if self.pair.rotary is None else self.pair.rotary.turned(rows)

    @cached_property
    def key(self) -> BallMatrix:
        """Rot_j (W_K y_j + b_K), or without rotations W_K y_j: (H, m, k)."""
        rows = self.Y @ BallMatrix.exact(self.pair.key_weight).T
        if self.pair.rotary is None:
            return rows
        return self.pair.rotary.turned(rows + BallMatrix.exact(self.pair.key_bias[:, None]))

    @cached_property
    def value(self) -> BallMatrix:
        """(H, m, v), without the bias."""
        return self.Y @ BallMatrix.exact(self.pair.value_weight).T

    @cached_property
    def weights(self) -> BallMatrix:
        """P, (H, n, m)."""
        scores, bias = (self.query @ self.key.T) * self.scale, self.pair.score_bias
        if bias is None:
            return softmax(scores)
        visible = np.isfinite(bias)
        return softmax(scores + BallMatrix.exact(np.where(visible, bias, 0.0)), visible)

    @cached_property
    def mean(self) -> BallMatrix:
        """mu, (H, n, v)."""
        return self.weights @ self.value

    @cached_property
    def output(self) -> BallMatrix:
        """The map's value, (n, d_out), all biases included."""
        heads = self.weights @ (self.value + BallMatrix.exact(self.pair.value_bias[:, None]))
        H, n, v = heads.shape
        flat = BallMatrix(*(x.transpose(1, 0, 2).reshape(n, H * v) for x in (heads.mid, heads.rad)))
        if self.pair.output_weight is None:
            return flat
        joined = flat @ BallMatrix.exact(self.pair.output_weight.reshape(-1, H * v)).T
        return joined if self.pair.output_bias is None else joined + BallMatrix.exact(self.pair.output_bias)

    def row(self, i: int) -> tuple[BallMatrix, BallMatrix]:
        """The derivative of output i in x_i, (d_out, d), and in every token of Y, (d_out, m, d_y)."""
        P = self.weights[:, i]
        z = (self.value - self.mean[:, i][:, None]) * P[..., None]  # (H, m, v)
        key = self.key - (P[:, None] @ self.key)
        own = ((z.T @ key) * self.scale) @ self._query_weight(i)
        slope = self._slopes(i)  # (H, m, d_y)
        V = BallMatrix.exact(self.pair.value_weight)
        others = V[:, :, None] * P[:, None, :, None] + z.T[..., None] * slope[:, None]
        H, v, m, d_y = others.shape
        own, others = own.reshape(H * v, -1), others.reshape(H * v, m * d_y)
        if self.pair.output_weight is not None:
            W = BallMatrix.exact(self.pair.output_weight.reshape(-1, H * v))
            own, others = W @ own, W @ others
        return own, others.reshape(len(own), m, d_y)

    def _query_weight(self, i: int) -> BallMatrix:
        """Rot_i W_Q, (H, k, d)."""
        Q = BallMatrix.exact(self.pair.query_weight)
        return Q if self.pair.rotary is None else self.pair.rotary.at(i).turned(Q.T).T

    def _slopes(self, i: int) -> BallMatrix:
        """scale K^T Rot_j^T q_i, the derivative of score ij in y_j: (H, m, d_y)."""
        q, rotary = self.query[:, i][:, None], self.pair.rotary  # (H, 1, k)
        if rotary is not None:
            m = self.value.shape[1]
            zeros = BallMatrix.exact(np.zeros((len(q), m, q.shape[2])))
            q = rotary.turned_back(q + zeros)
        return (q @ BallMatrix.exact(self.pair.key_weight)) * self.scale
