"""The Jacobian of one attention map, block row by block row, in the coordinates of the values.

Block (i, j) of the Jacobian is  delta_ij V C_i A + P_ij (V + u_ij b_i^T)  with u_ij = V x_j - mu_i. Only three moments of
row i over the other tokens are needed for sum_j r_ij^2 B_ij B_ij^T; the diagonal block T_ii is formed itself, since
there the covariance term joins.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .activations import Activations
from .arithmetic.matrices import BallMatrix
from .attention_layer import Array


@dataclass(frozen=True)
class TokenBlocks:
    """Balls for one head at one point; v is the value size, d the token size."""

    activations: Activations  # of a layer with one head

    @cached_property
    def P(self) -> BallMatrix:
        return self.activations.weights[0]

    @cached_property
    def deviation(self) -> BallMatrix:
        """u_ij = y_j - mu_i, shape (n, n, v)."""
        return self.activations.value[0][None] - self.activations.mean_value[0][:, None]

    @cached_property
    def value_weight(self) -> BallMatrix:
        return BallMatrix.exact(self.activations.layer.value_weight[0])

    @cached_property
    def gradient(self) -> BallMatrix:
        """b_i, shape (n, d)."""
        return self.activations.gradient[0]

    @cached_property
    def gradient_square(self) -> BallMatrix:
        """|b_i|^2, shape (n,)."""
        return (self.gradient * self.gradient).sum(-1)

    @cached_property
    def value_gradient(self) -> BallMatrix:
        """V b_i, shape (n, v)."""
        return self.gradient @ self.value_weight.T

    @cached_property
    def value_gram(self) -> BallMatrix:
        """V V^T, shape (v, v)."""
        return self.value_weight @ self.value_weight.T

    @cached_property
    def score_covariance(self) -> BallMatrix:
        """S_i = scale sum_j P_ij u_ij (k_j - kappa_i)^T = scale V C_i K^T, so V C_i A = S_i Q; shape (n, v, k)."""
        key = self.activations.key[0][None] - self.activations.mean_key[0][:, None]
        weighted = self.deviation * self.P[..., None]
        return (weighted.T @ key) * self.activations.scale

    @cached_property
    def diagonal(self) -> BallMatrix:
        """T_ii = S_i Q + P_ii (V + u_ii b_i^T), shape (n, v, d)."""
        here = np.arange(len(self.P))
        outer = self.deviation[here, here][..., None] * self.gradient[:, None]
        return self.covariance_term + (self.value_weight[None] + outer) * self.P[here, here][:, None, None]

    @cached_property
    def covariance_term(self) -> BallMatrix:
        """V C_i A, shape (n, v, d)."""
        return self.score_covariance @ BallMatrix.exact(self.activations.layer.query_weight[0])

    def row_gram(self, omega: BallMatrix) -> BallMatrix:
        """sum_j omega_ij^2 (V + u_ij b_i^T)(V + u_ij b_i^T)^T for every token i: (n, n) -> (n, v, v)."""
        scaled = self.deviation * omega[..., None]
        mass = (omega * omega).sum(-1)[:, None, None]
        first = (omega[:, None] @ scaled)[:, 0]  # sum_j omega_ij^2 u_ij
        cross = first[..., None] * self.value_gradient[:, None]
        second = (scaled.T @ scaled) * self.gradient_square[:, None, None]
        return self.value_gram[None] * mass + cross + cross.T + second

    def seen(self) -> np.ndarray:
        """Which blocks can be other than zero: (n, n), the diagonal among them."""
        visible = self.activations.layer.visible(len(self.P))
        if visible is None:
            return np.ones(self.P.shape, dtype=bool)
        return (visible if visible.ndim == 2 else visible[0]) | np.eye(len(self.P), dtype=bool)

    def block_norm_estimate(self) -> Array:
        """About |B_ij| in floating point, for choosing weights: (n, n)."""
        u = np.linalg.norm(self.deviation.mid, axis=-1)
        V = np.linalg.norm(self.value_weight.mid, 2)
        N = self.P.mid * np.sqrt(V**2 + u**2 * self.gradient_square.mid[:, None])
        np.fill_diagonal(N, np.linalg.norm(self.diagonal.mid, axis=(1, 2), ord=2))
        return N

    def block_size_along(self, directions: Array) -> Array:
        """|B_ij^T t_i| in floating point for one direction t_i (n, v) a row: (n, n)."""
        along = np.einsum("ijv,iv->ij", self.deviation.mid, directions)
        back = directions @ self.value_weight.mid
        b = self.gradient.mid
        square = (
            (back**2).sum(-1)[:, None] + 2 * along * (back * b).sum(-1)[:, None] + along**2 * (b**2).sum(-1)[:, None]
        )
        N = self.P.mid * np.sqrt(np.maximum(square, 0.0))
        np.fill_diagonal(N, np.linalg.norm(np.einsum("ivd,iv->id", self.diagonal.mid, directions), axis=-1))
        return N
