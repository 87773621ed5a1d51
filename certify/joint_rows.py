"""The rows of the whole multi-head Jacobian, all heads and the output projection together.

Block (i, j) is W_O T_ij, where T_ij stacks over the heads  delta_ij V_h C^h_i A_h + P^h_ij (V_h + u^h_ij b_i^hT). For
one token i the sum over the other tokens of r_ij^2 T_ij T_ij^T has the (h, g) block, with omega^h_j = r_ij P^h_ij,

    a_hg V_h V_g^T + z_hg (V_g b^h)^T + (V_h b^g) z_gh^T + <b^h, b^g> C_hg,
    a_hg = sum_j omega^h omega^g,   z_hg = sum_j omega^h omega^g u^h_j,   C_hg = sum_j omega^h omega^g u^h_j u^g_j^T.

Heads meet here with their signs, which bounds head by head lose. One token at a time, nothing larger than (H v)^2 or
n H v is held.
"""

from dataclasses import dataclass
from functools import cached_property

from .activations import Activations
from .arithmetic.matrices import BallMatrix
from .attention_layer import Array


@dataclass(frozen=True)
class JointRows:
    """Balls for all heads of a layer with an output projection, at one point."""

    activations: Activations

    @cached_property
    def output(self) -> BallMatrix:
        """W_O as (d_out, H v)."""
        weight = self.activations.layer.output_weight
        if weight is None:
            raise ValueError("joint rows need an output projection")
        return BallMatrix.exact(weight.reshape(len(weight), -1))

    @cached_property
    def values(self) -> BallMatrix:
        """V_1, ..., V_H stacked: (H v, d)."""
        weight = self.activations.layer.value_weight
        return BallMatrix.exact(weight.reshape(-1, weight.shape[-1]))

    @cached_property
    def value_gram(self) -> BallMatrix:
        return self.values @ self.values.T

    def gram(self, i: int, r: Array) -> BallMatrix:
        """sum_j r_ij^2 B_ij B_ij^T for token i and one row r (n,) of the weights' inverse roots: (d_out, d_out)."""
        a = self.activations
        u, b = self._deviation(i), a.gradient[:, i]
        others = r.copy()
        others[i] = 0.0
        omega = a.weights[:, i] * BallMatrix.exact(others)  # (H, n)
        scaled = _tokens_first(u * omega[..., None])  # (n, H v)
        first = scaled.T @ omega.T  # z: (H v, H)
        back = b @ self.values.T  # row h holds V_g b^h for every g: (H, H v)
        H, v = a.layer.heads, a.layer.value_size
        cross = (first.reshape(H, v, H)[..., None] * back.reshape(H, 1, H, v)).reshape(H * v, H * v)
        total = (
            self.value_gram * _per_pair(omega @ omega.T, v)
            + (scaled.T @ scaled) * _per_pair(b @ b.T, v)
            + cross
            + cross.T
        )
        here = self._diagonal(i, u, b) * BallMatrix.exact(r[i])
        return (self.output @ (total + here @ here.T)) @ self.output.T

    def _deviation(self, i: int) -> BallMatrix:
        """u^h_ij for every head and token j: (H, n, v)."""
        a = self.activations
        return a.value - a.mean_value[:, i][:, None]

    def _diagonal(self, i: int, u: BallMatrix, b: BallMatrix) -> BallMatrix:
        """T_ii: (H v, d)."""
        a, layer = self.activations, self.activations.layer
        key = a.key - a.mean_key[:, i][:, None]
        covariance = ((u * a.weights[:, i][..., None]).T @ key) * a.scale  # S_i^h: (H, v, k)
        own = BallMatrix.exact(layer.value_weight) + u[:, i][..., None] * b[:, None]
        stacked = covariance @ BallMatrix.exact(layer.query_weight) + own * a.weights[:, i, i][:, None, None]
        return stacked.reshape(-1, layer.width)


def _tokens_first(heads: BallMatrix) -> BallMatrix:
    """(H, n, v) -> (n, H v)."""
    H, n, v = heads.shape
    return BallMatrix(*(part.transpose(1, 0, 2).reshape(n, H * v) for part in (heads.mid, heads.rad)))


def _per_pair(pairs: BallMatrix, v: int) -> BallMatrix:
    """One number a pair of heads, spread over its v x v block: (H, H) -> (H v, H v)."""
    return BallMatrix(*(part.repeat(v, 0).repeat(v, 1) for part in (pairs.mid, pairs.rad)))
