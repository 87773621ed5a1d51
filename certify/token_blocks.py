"""The Jacobian of one head, block row by block row, in the coordinates of the values.

Block (i, j) of the Jacobian is  delta_ij V C_i A + P_ij (V + u_ij b_i^T)  with u_ij = V x_j - mu_i. Three moments of
row i over the other tokens give sum_j r_ij^2 B_ij B_ij^T; the diagonal block T_ii is formed itself, since there the
covariance term joins.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

import numpy as np

from .activations import Activations
from .arithmetic.matrices import BallMatrix
from .attention_layer import Array

T = TypeVar("T", BallMatrix, Array)


@dataclass(frozen=True)
class BlockRows(Generic[T]):
    """What the rows are made of, as balls (for proof) or as plain arrays (for search): one formula serves both."""

    weights: T  # P, (n, n)
    deviation: T  # u_ij, (n, n, v)
    value_gram: T  # V V^T, (v, v)
    value_gradient: T  # V b_i, (n, v)
    gradient_square: T  # |b_i|^2, (n,)
    diagonal: T  # T_ii, (n, v, d)

    def gram(self, off_diagonal: T, on_diagonal: T) -> T:
        """sum_j r_ij^2 B_ij B_ij^T for every row i, shape (n, v, v).

        `off_diagonal` (n, n) holds r_ij with zeros on the diagonal, `on_diagonal` (n, 1, 1) holds r_ii.
        """
        rows = cast(Any, self)  # both kinds share these operators, which no type checker follows through T
        omega = rows.weights * off_diagonal
        scaled = rows.deviation * omega[..., None]
        mass = (omega * omega).sum(-1)[:, None, None]
        first = (omega[:, None] @ scaled)[:, 0]  # sum_j omega_ij^2 u_ij
        cross = first[..., None] * rows.value_gradient[:, None]
        second = (scaled.mT @ scaled) * rows.gradient_square[:, None, None]
        here = rows.diagonal * on_diagonal
        return rows.value_gram[None] * mass + cross + cross.mT + second + here @ here.mT


@dataclass(frozen=True)
class TokenBlocks:
    """The blocks of one head at one point, every number enclosed; v is the value size, d the token size."""

    activations: Activations  # of a layer with one head

    @cached_property
    def rows(self) -> BlockRows[BallMatrix]:
        V = BallMatrix.exact(self.activations.layer.value_weight[0])
        b = self.gradient
        return BlockRows(
            weights=self.activations.weights[0],
            deviation=self.deviation,
            value_gram=V @ V.T,
            value_gradient=b @ V.T,
            gradient_square=(b * b).sum(-1),
            diagonal=self._diagonal(V),
        )

    @cached_property
    def midpoints(self) -> BlockRows[Array]:
        """The same in plain floating point, to search with."""
        rows = self.rows
        return BlockRows(
            weights=rows.weights.mid,
            deviation=rows.deviation.mid,
            value_gram=rows.value_gram.mid,
            value_gradient=rows.value_gradient.mid,
            gradient_square=rows.gradient_square.mid,
            diagonal=rows.diagonal.mid,
        )

    @cached_property
    def deviation(self) -> BallMatrix:
        """u_ij = y_j - mu_i, shape (n, n, v)."""
        return self.activations.value[0][None] - self.activations.mean_value[0][:, None]

    @cached_property
    def weighted_deviation(self) -> BallMatrix:
        """P_ij u_ij, shape (n, n, v)."""
        return self.deviation * self.activations.weights[0][..., None]

    @cached_property
    def gradient(self) -> BallMatrix:
        """b_i, shape (n, d)."""
        return self.activations.gradient[0]

    @cached_property
    def covariance_term(self) -> BallMatrix:
        """V C_i A = S_i Q with S_i = scale sum_j P_ij u_ij (k_j - kappa_i)^T, shape (n, v, d)."""
        key = self.activations.key[0][None] - self.activations.mean_key[0][:, None]
        score_covariance = (self.weighted_deviation.T @ key) * self.activations.scale
        return score_covariance @ BallMatrix.exact(self.activations.layer.query_weight[0])

    def _diagonal(self, V: BallMatrix) -> BallMatrix:
        """T_ii = V C_i A + P_ii (V + u_ii b_i^T), shape (n, v, d)."""
        here = np.arange(len(self.activations.X))
        outer = self.deviation[here, here][..., None] * self.gradient[:, None]
        return self.covariance_term + (V[None] + outer) * self.activations.weights[0][here, here][:, None, None]


def seen_blocks(activations: Activations) -> np.ndarray:
    """Which blocks of a one-head Jacobian can be other than zero: (n, n), the diagonal among them."""
    n = len(activations.X)
    visible = activations.layer.visible(n)
    if visible is None:
        return np.ones((n, n), dtype=bool)
    return (visible if visible.ndim == 2 else visible[0]) | np.eye(n, dtype=bool)
