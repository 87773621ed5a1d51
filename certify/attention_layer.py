"""One attention layer as exact arrays, with its forward map and closed-form Jacobian products in floating point.

Letters as in the literature: tokens x_i are the rows of X (n, d); per head q_i = W_Q x_i + b_Q, k_j = W_K x_j + b_K,
v_j = W_V x_j + b_V; scores s_ij = scale <q_i, k_j> + c_ij; P_i = softmax of s_i; o_i = sum_j P_ij v_j; the output is
W_O [o^1; ...; o^H] + b_O. The score constant c is 0, a mask (-inf) or an additive bias.

Nothing here is rigorous: these products find directions, state estimates and test the rigorous code beside them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .errors import InputError, ModelError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TensorSource:
    """Where an array came from: tensor name in the file, its dtype and shape there, sha256 of its raw bytes."""

    tensor: str
    dtype: str
    shape: tuple[int, ...]
    sha256: str


@dataclass(frozen=True)
class AttentionLayer:
    """Self-attention of H heads on tokens in R^d; every array is float64 and taken as exact.

    Shapes: query_weight, key_weight (H, k, d); query_bias, key_bias (H, k); value_weight (H, v, d); value_bias (H, v);
    output_weight (d_out, H, v) or None for the heads side by side; output_bias (d_out,) or None; score_bias None,
    (n, n) or (H, n, n), -inf where token i must not see token j. The scale of the scores is sqrt(scale_squared), kept
    as a rational so that 1/sqrt(32) is meant exactly.

    Raises ModelError when shapes disagree, when a weight is not finite, or when the scale is not positive.
    """

    query_weight: Array
    query_bias: Array
    key_weight: Array
    key_bias: Array
    value_weight: Array
    value_bias: Array
    output_weight: Array | None
    output_bias: Array | None
    scale_squared: Fraction
    score_bias: Array | None = None
    sources: Mapping[str, TensorSource] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_shapes(self)
        _check_finite(self)
        if not self.scale_squared > 0:
            raise ModelError(f"scale_squared is {self.scale_squared}: the scale of the scores must be positive")

    @property
    def heads(self) -> int:
        return self.query_weight.shape[0]

    @property
    def head_size(self) -> int:
        return self.query_weight.shape[1]

    @property
    def value_size(self) -> int:
        return self.value_weight.shape[1]

    @property
    def width(self) -> int:
        """d, the size of a token."""
        return self.query_weight.shape[2]

    @property
    def output_size(self) -> int:
        """d_out, the size of an output."""
        return self.heads * self.value_size if self.output_weight is None else len(self.output_weight)

    @property
    def scale(self) -> float:
        return math.sqrt(self.scale_squared)

    def head(self, index: int) -> "AttentionLayer":
        """Head `index` alone, without the output projection.

        Raises ModelError for a head that does not exist.
        """
        if not 0 <= index < self.heads:
            raise ModelError(f"head {index} does not exist: the layer has heads 0 to {self.heads - 1}")
        h = slice(index, index + 1)
        bias = self.score_bias if self.score_bias is None or self.score_bias.ndim == 2 else self.score_bias[h]
        return replace(
            self,
            query_weight=self.query_weight[h],
            query_bias=self.query_bias[h],
            key_weight=self.key_weight[h],
            key_bias=self.key_bias[h],
            value_weight=self.value_weight[h],
            value_bias=self.value_bias[h],
            output_weight=None,
            output_bias=None,
            score_bias=bias,
            sources={},
        )

    def check_tokens(self, X: Array) -> Array:
        """X as a float64 array (n, d) that this layer accepts.

        Raises InputError when the shape disagrees, X is empty, an entry is not finite, or n differs from the mask's.
        """
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != self.width or X.shape[0] == 0:
            raise InputError(f"the input has shape {X.shape}: this layer takes (n, {self.width}) with n >= 1")
        if X.dtype not in (np.float16, np.float32, np.float64):
            raise InputError(f"the input has dtype {X.dtype}: give float16, float32 or float64")
        if not np.isfinite(X).all():
            row, column = np.argwhere(~np.isfinite(X))[0]
            raise InputError(
                f"the input is {X[row, column]} at token {row}, entry {column}: every entry must be finite"
            )
        if self.score_bias is not None and self.score_bias.shape[-1] != X.shape[0]:
            raise InputError(f"the input has {X.shape[0]} tokens, the score bias is for {self.score_bias.shape[-1]}")
        return X.astype(np.float64)

    def visible(self, n: int) -> NDArray[np.bool_] | None:
        """Which token j token i sees: (n, n) or (H, n, n), None where every token sees every token."""
        return None if self.score_bias is None else np.isfinite(self.score_bias)

    def forward(self, X: Array) -> Array:
        """Output (n, d_out), heads side by side where there is no output projection."""
        _, _, v, P = _activations(self, X)
        out = self._project(P @ v)
        return out if self.output_bias is None else out + self.output_bias

    def jvp(self, X: Array, E: Array) -> Array:
        """J(X) E for a direction E (n, d), by the closed form."""
        return JacobianProducts(self, X).jvp(E)

    def vjp(self, X: Array, G: Array) -> Array:
        """J(X)^T G for a cotangent G (n, d_out), by the closed form."""
        return JacobianProducts(self, X).vjp(G)

    def _project(self, outputs: Array) -> Array:
        H, _, v = outputs.shape
        side_by_side = _side_by_side(outputs)
        if self.output_weight is None:
            return side_by_side
        return side_by_side @ self.output_weight.reshape(-1, H * v).T


class JacobianProducts:
    """J(X) E and J(X)^T G at one fixed X, with the activations computed once (float64, an estimate)."""

    def __init__(self, layer: AttentionLayer, X: Array) -> None:
        self.layer = layer
        self.input_shape, self.output_shape = (len(X), layer.width), (len(X), layer.output_size)
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows here ends in no bound later
            self.q, self.k, self.v, self.P = _activations(layer, X)

    def jvp(self, E: Array) -> Array:
        layer, P = self.layer, self.P
        dq, dk, dv = (_heads(E, W) for W in (layer.query_weight, layer.key_weight, layer.value_weight))
        ds = layer.scale * (dq @ self.k.transpose(0, 2, 1) + self.q @ dk.transpose(0, 2, 1))
        dP = P * (ds - (P * ds).sum(-1, keepdims=True))
        return layer._project(dP @ self.v + P @ dv)

    def vjp(self, G: Array) -> Array:
        layer, P = self.layer, self.P
        H, v = layer.heads, layer.value_size
        if layer.output_weight is not None:
            G = G @ layer.output_weight.reshape(-1, H * v)
        dO = G.reshape(-1, H, v).transpose(1, 0, 2)
        dP = dO @ self.v.transpose(0, 2, 1)
        ds = layer.scale * P * (dP - (P * dP).sum(-1, keepdims=True))
        parts = (
            (ds @ self.k, layer.query_weight),
            (ds.transpose(0, 2, 1) @ self.q, layer.key_weight),
            (P.transpose(0, 2, 1) @ dO, layer.value_weight),
        )
        return sum(_side_by_side(part) @ _stacked(W) for part, W in parts)  # type: ignore[return-value]


def _heads(X: Array, W: Array) -> Array:
    """W x_i for every head: (H, n, k)."""
    H, k, _ = W.shape
    return (X @ _stacked(W).T).reshape(-1, H, k).transpose(1, 0, 2)


def _side_by_side(heads: Array) -> Array:
    H, n, k = heads.shape
    return heads.transpose(1, 0, 2).reshape(n, H * k)


def _stacked(W: Array) -> Array:
    return W.reshape(-1, W.shape[-1])


def _activations(layer: AttentionLayer, X: Array) -> tuple[Array, Array, Array, Array]:
    q = _heads(X, layer.query_weight) + layer.query_bias[:, None]
    k = _heads(X, layer.key_weight) + layer.key_bias[:, None]
    v = _heads(X, layer.value_weight) + layer.value_bias[:, None]
    s = layer.scale * (q @ k.transpose(0, 2, 1))
    if layer.score_bias is not None:
        s = s + layer.score_bias
    return q, k, v, _softmax(s)


def _softmax(s: Array) -> Array:
    """Rows of weights; a row that sees nothing is zero (its value is defined, never nan)."""
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def _check_shapes(layer: AttentionLayer) -> None:
    for name in ("query_weight", "key_weight", "value_weight"):
        shape = getattr(layer, name).shape
        if len(shape) != 3 or 0 in shape:
            raise ModelError(f"{name} has shape {shape}: expected (heads, head size, d), none of them 0")
    H, k, d = layer.query_weight.shape
    v = layer.value_weight.shape[1]
    expected: dict[str, tuple[int, ...]] = {
        "query_bias": (H, k),
        "key_weight": (H, k, d),
        "key_bias": (H, k),
        "value_weight": (H, v, d),
        "value_bias": (H, v),
    }
    if layer.output_weight is not None:
        expected["output_weight"] = (layer.output_weight.shape[0], H, v)
        if layer.output_bias is not None:
            expected["output_bias"] = (layer.output_weight.shape[0],)
    elif layer.output_bias is not None:
        raise ModelError("output_bias without output_weight: give both or neither")
    if layer.score_bias is not None:
        n = layer.score_bias.shape[-1]
        expected["score_bias"] = (n, n) if layer.score_bias.ndim == 2 else (H, n, n)
    for name, shape in expected.items():
        got = getattr(layer, name).shape
        if got != shape:
            raise ModelError(f"{name} has shape {got}: expected {shape}, to agree with query_weight {(H, k, d)}")


def _check_finite(layer: AttentionLayer) -> None:
    for name in _ARRAYS:
        array = getattr(layer, name)
        if array is None:
            continue
        if array.dtype != np.float64:
            raise ModelError(f"{name} has dtype {array.dtype}: give float64 (float16 and float32 convert exactly)")
        bad = (np.isnan(array) | (array == np.inf)) if name == "score_bias" else ~np.isfinite(array)
        if bad.any():
            raise ModelError(f"{name} holds {array[bad][0]}: every weight must be finite")


_ARRAYS = (
    "query_weight",
    "query_bias",
    "key_weight",
    "key_bias",
    "value_weight",
    "value_bias",
    "output_weight",
    "output_bias",
    "score_bias",
)
