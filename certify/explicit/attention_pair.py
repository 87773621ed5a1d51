"""Attention whose queries come from tokens X and whose keys and values come from tokens Y, with or without rotations.

    s_ij = scale <Rot_i (W_Q x_i + b_Q), Rot_j (W_K y_j + b_K)> + c_ij,   o_i = sum_j softmax(s_i)_j (W_V y_j + b_V),

and the heads are joined by W_O. Self-attention is the case Y = X. Heads that share their keys and values (grouped-query
and multi-query attention) are heads with the same matrices: `grouped_heads.shared` repeats them.

The forward map here is floating point, an estimate; `rows` encloses the derivative.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..attention_layer import Array, AttentionLayer
from ..errors import InputError, ModelError
from .rotary import Rotary


@dataclass(frozen=True, eq=False)
class AttentionPair:
    """H heads; every array is float64 and taken as exact.

    Shapes: query_weight (H, k, d), query_bias (H, k); key_weight (H, k, d_y), key_bias (H, k);
    value_weight (H, v, d_y), value_bias (H, v); output_weight (d_out, H, v) or None for the heads side by side,
    output_bias (d_out,) or None; score_bias (n, m) or (H, n, m), -inf where row i must not see token j of Y.

    Raises ModelError when shapes disagree, a weight is not finite, the scale is not positive, or more entries are
    rotated than a head has.
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
    rotary: Rotary | None = None

    @classmethod
    def of_layer(cls, layer: AttentionLayer, rotary: Rotary | None = None) -> "AttentionPair":
        """Self-attention with rotary positions."""
        names = [name for name in cls.__dataclass_fields__ if name != "rotary"]
        return cls(**{name: getattr(layer, name) for name in names}, rotary=rotary)

    def __post_init__(self) -> None:
        H, k, _ = self.query_weight.shape
        _, v, d_y = self.value_weight.shape
        expected: dict[str, tuple[int, ...]] = {
            "query_bias": (H, k),
            "key_weight": (H, k, d_y),
            "key_bias": (H, k),
            "value_weight": (H, v, d_y),
            "value_bias": (H, v),
        }
        if self.output_weight is not None:
            expected["output_weight"] = (len(self.output_weight), H, v)
        if self.output_bias is not None:
            if self.output_weight is None:
                raise ModelError("output_bias without output_weight: give both or neither")
            expected["output_bias"] = (len(self.output_weight),)
        for name in ("query_weight", *expected):
            array, shape = getattr(self, name), expected.get(name, (H, k, self.width))
            if array.shape != shape or array.dtype != np.float64:
                raise ModelError(f"{name} is {array.dtype} of shape {array.shape}: expected float64 of shape {shape}")
            if not np.isfinite(array).all():
                raise ModelError(f"{name} holds nan or infinity: every weight must be finite")
        if not self.scale_squared > 0:
            raise ModelError(f"scale_squared is {self.scale_squared}: the scale of the scores must be positive")
        if self.rotary is not None and self.rotary.size > k:
            raise ModelError(f"{self.rotary.size} entries of a head are to be rotated, it has {k}")
        if self.score_bias is not None and (np.isnan(self.score_bias) | (self.score_bias == np.inf)).any():
            raise ModelError("score_bias holds nan or infinity: every entry must be finite or -inf")

    @property
    def heads(self) -> int:
        return self.query_weight.shape[0]

    @property
    def head_size(self) -> int:
        return self.query_weight.shape[1]

    @property
    def width(self) -> int:
        """d, the size of a token of X."""
        return self.query_weight.shape[2]

    @property
    def context_width(self) -> int:
        """d_y, the size of a token of Y."""
        return self.key_weight.shape[2]

    @property
    def output_size(self) -> int:
        return self.heads * self.value_weight.shape[1] if self.output_weight is None else len(self.output_weight)

    def check(self, X: Array, Y: Array) -> None:
        """Raises InputError for tokens of another shape, entries that are not finite, or more tokens than positions."""
        for name, tokens, size in (("X", X, self.width), ("Y", Y, self.context_width)):
            if tokens.ndim != 2 or tokens.shape[1] != size or len(tokens) == 0 or tokens.dtype != np.float64:
                got = f"{tokens.dtype} of shape {tokens.shape}"
                raise InputError(f"{name} is {got}: expected float64 of shape (n, {size}), n >= 1")
            if not np.isfinite(tokens).all():
                raise InputError(f"{name} holds nan or infinity: every entry must be finite")
            if self.rotary is not None and len(tokens) > self.rotary.positions:
                raise InputError(f"{name} has {len(tokens)} tokens, the rotary table {self.rotary.positions} positions")
        if self.score_bias is not None and self.score_bias.shape[-2:] != (len(X), len(Y)):
            raise InputError(f"the score bias is for {self.score_bias.shape[-2:]} tokens, not {(len(X), len(Y))}")

    def forward(self, X: Array, Y: Array) -> Array:
        """Output (n, d_out)."""
        q = np.einsum("hkd,nd->hnk", self.query_weight, X) + self.query_bias[:, None]
        k = np.einsum("hkd,nd->hnk", self.key_weight, Y) + self.key_bias[:, None]
        v = np.einsum("hkd,nd->hnk", self.value_weight, Y) + self.value_bias[:, None]
        if self.rotary is not None:
            q, k = (self._turned(x) for x in (q, k))
        s = math.sqrt(self.scale_squared) * q @ k.mT + (0.0 if self.score_bias is None else self.score_bias)
        top = s.max(-1, keepdims=True)
        e = np.exp(s - np.where(np.isfinite(top), top, 0.0))
        total = e.sum(-1, keepdims=True)
        o = np.divide(e, total, out=np.zeros_like(e), where=total > 0) @ v
        flat = o.transpose(1, 0, 2).reshape(len(X), -1)
        if self.output_weight is None:
            return flat
        out = flat @ self.output_weight.reshape(self.output_size, -1).T
        return out if self.output_bias is None else out + self.output_bias

    def _turned(self, rows: Array) -> Array:
        from ..arithmetic.matrices import BallMatrix

        assert self.rotary is not None
        return self.rotary.turned(BallMatrix.exact(rows)).mid
