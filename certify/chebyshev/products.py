"""A Jacobian given by a few matrices a head, applied to an input or an output in plain floating point.

Head h of row i of J E is sum_j P_ij V e_j + sum_j P_ij S_ij (y_j - mu_i) with S_ij = <q_i, K e_j> + <Q e_i, k_j>, where
q and k carry the scale of the scores. Every product takes the same few roundings for whatever entries, which
`perturbation` counts; with moduli in place of the entries, and the mean negated, all terms add up.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.matrices import quiet
from ..attention_layer import Array


@dataclass(frozen=True, eq=False)
class Factors:
    """H heads of key size k and value size v on n tokens of size d; a linear map from (n, d) to (n, d_out)."""

    weights: Array  # P (H, n, n)
    query: Array  # scale q (H, n, k)
    key: Array  # scale k (H, n, k)
    value: Array  # y (H, n, v)
    mean: Array  # mu (H, n, v)
    query_weight: Array  # Q (H, k, d)
    key_weight: Array  # K (H, k, d)
    value_weight: Array  # V (H, v, d)
    output: Array | None  # W_O (d_out, H v)

    @property
    def roundings(self) -> int:
        """More than any monomial of a product, or of a transposed one, passes through."""
        H, k, d = self.query_weight.shape
        v, n = self.value_weight.shape[1], self.weights.shape[1]
        d_out = 0 if self.output is None else len(self.output)
        return 2 * n + d + d_out + (H + 2) * (2 * k + v) + 16

    @cached_property
    def projection(self) -> Array:
        """Q, K and V of all heads, head by head: (H (2 k + v), d)."""
        heads = np.concatenate([self.query_weight, self.key_weight, self.value_weight], axis=1)
        return heads.reshape(-1, heads.shape[2])

    @quiet
    def jvp(self, E: Array) -> Array:
        """J applied to one input: (n, d) -> (n, d_out)."""
        flat = self.inner((E @ self.projection.T).reshape(len(E), len(self.weights), -1)).reshape(len(E), -1)
        return flat if self.output is None else flat @ self.output.T

    @quiet
    def vjp(self, G: Array) -> Array:
        """The transpose of J applied to one output: (n, d_out) -> (n, d)."""
        heads = (G if self.output is None else G @ self.output).reshape(len(G), len(self.weights), -1)
        return self.inner_transposed(heads).reshape(len(G), -1) @ self.projection

    def inner(self, moved: Array) -> Array:
        """What stands between the projections: changes of q, k and y (n, H, 2 k + v) -> of the heads (n, H, v)."""
        k, v = self.query.shape[2], self.value.shape[2]
        heads = np.empty((*moved.shape[:2], v))
        for h, weights in enumerate(self.weights):
            dq, dk, dy = np.split(moved[:, h], [k, 2 * k], axis=1)
            S = np.hstack([dq, self.query[h]]) @ np.hstack([self.key[h], dk]).T
            S *= weights
            sums = S @ _with_ones(self.value[h])
            heads[:, h] = (sums[:, :v] - sums[:, v:] * self.mean[h]) + weights @ dy
        return heads

    def inner_transposed(self, heads: Array) -> Array:
        """The transpose of `inner`: (n, H, v) -> (n, H, 2 k + v)."""
        k = self.query.shape[2]
        moved = np.empty((*heads.shape[:2], 2 * k + heads.shape[2]))
        for h, weights in enumerate(self.weights):
            g = heads[:, h]
            S = np.hstack([g, -(g * self.mean[h]).sum(1, keepdims=True)]) @ _with_ones(self.value[h]).T
            S *= weights
            moved[:, h, :k] = S @ self.key[h]
            moved[:, h, k : 2 * k] = S.T @ self.query[h]
            moved[:, h, 2 * k :] = weights.T @ g
        return moved


def _with_ones(value: Array) -> Array:
    """One more column, whose product is the sum of a row."""
    return np.hstack([value, np.ones((len(value), 1))])
