"""Rigorous activations of one layer at one exact input: everything the local bounds and the witnesses are built from.

Letters: y_j = V x_j and k_j = K x_j *without* their biases (the value bias translates the output, the key bias adds a
constant to each row of scores and drops out of the softmax); q_i = Q x_i + b_Q *with* its bias; s_ij = scale <q_i, k_j>
+ c_ij; P = softmax(s); mu_i = sum_j P_ij y_j; kappa_i = sum_j P_ij k_j; b_i = scale K^T q_i. V, K, Q are W_V, W_K, W_Q.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arithmetic.arb import ARB
from .arithmetic.elementary import softmax
from .arithmetic.matrices import BallMatrix
from .attention_layer import Array, AttentionLayer


def scale_ball(layer: AttentionLayer) -> BallMatrix:
    """sqrt(scale_squared) enclosed, as a ball of shape ()."""
    root = ARB.bounds(ARB.sqrt(ARB.number(layer.scale_squared)))
    return BallMatrix.between(np.float64(root.lower), np.float64(root.upper))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Activations:
    """Balls around q, k, y (H, n, .), the attention weights P (H, n, n) and their means, at an exact input X (n, d).

    Where the tokens that enter the layer are themselves only enclosed, they are `inputs`, and X is what they came from.
    """

    layer: AttentionLayer
    X: Array
    inputs: BallMatrix | None = None

    @cached_property
    def scale(self) -> BallMatrix:
        return scale_ball(self.layer)

    @cached_property
    def tokens(self) -> BallMatrix:
        return BallMatrix.exact(self.X) if self.inputs is None else self.inputs

    def project(self, tokens: BallMatrix, weight: Array) -> BallMatrix:
        """W x_i for every head: tokens (n, d), weight (H, k, d) -> (H, n, k)."""
        return tokens @ BallMatrix.exact(weight).T

    @cached_property
    def query(self) -> BallMatrix:
        return self.project(self.tokens, self.layer.query_weight) + BallMatrix.exact(self.layer.query_bias[:, None])

    @cached_property
    def key(self) -> BallMatrix:
        return self.project(self.tokens, self.layer.key_weight)

    @cached_property
    def value(self) -> BallMatrix:
        return self.project(self.tokens, self.layer.value_weight)

    @cached_property
    def weights(self) -> BallMatrix:
        """P, rows summing to 1 (or all zero where a token sees nothing)."""
        scores = (self.query @ self.key.T) * self.scale
        bias, visible = self.layer.score_bias, self.layer.visible(len(self.X))
        if bias is not None:
            scores = scores + BallMatrix.exact(np.where(np.isfinite(bias), bias, 0.0))
        return softmax(scores, visible)

    @cached_property
    def mean_value(self) -> BallMatrix:
        return self.weights @ self.value

    @cached_property
    def mean_key(self) -> BallMatrix:
        return self.weights @ self.key

    @cached_property
    def gradient(self) -> BallMatrix:
        """b_i = scale K^T q_i, the gradient of row i's scores in the token that is looked at: (H, n, d)."""
        return (self.query @ BallMatrix.exact(self.layer.key_weight)) * self.scale

    @cached_property
    def output(self) -> BallMatrix:
        """The layer's output (n, d_out), every bias included."""
        heads = self.weights @ (self.value + BallMatrix.exact(self.layer.value_bias[:, None]))
        total, bias = self._joined(heads), self.layer.output_bias
        return total if bias is None else total + BallMatrix.exact(bias)

    def jvp(self, direction: Array) -> BallMatrix:
        """J(X) E for an exact direction E (n, d): balls of shape (n, d_out), heads side by side without W_O."""
        return self.jvp_of(BallMatrix.exact(direction))

    def jvp_of(self, E: BallMatrix) -> BallMatrix:
        """The same for a direction that is enclosed.

        dP_ij = P_ij (ds_ij - sum_l P_il ds_il) and df = dP y + P dy; dP has zero row sums, so the biases drop out.
        """
        layer, P = self.layer, self.weights
        dq, dk, dy = (self.project(E, W) for W in (layer.query_weight, layer.key_weight, layer.value_weight))
        ds = (dq @ self.key.T + self.query @ dk.T) * self.scale
        dP = P * (ds - (P * ds).sum(-1)[..., None])
        return self._joined(dP @ self.value + P @ dy)

    def _joined(self, heads: BallMatrix) -> BallMatrix:
        """Heads (H, n, v) side by side and through the output projection, without its bias."""
        H, _, v = heads.shape
        rows = BallMatrix(_side_by_side(heads.mid), _side_by_side(heads.rad))
        if self.layer.output_weight is None:
            return rows
        return rows @ BallMatrix.exact(self.layer.output_weight.reshape(-1, H * v)).T


def _side_by_side(heads: np.ndarray) -> np.ndarray:
    H, n, v = heads.shape
    return heads.transpose(1, 0, 2).reshape(n, H * v)
