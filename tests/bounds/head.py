"""One softmax head in plain numpy, its Jacobian as a matrix, and several heads joined: what the theorems speak about.

Typed here a second time on purpose, in the letters of the paper and apart from `certify`; complex differentiation of
`forward` checks the Jacobian. Everything is float64 and an estimate to about 1e-13.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """The weight and bias behind which the tokens lie."""

    gamma: Array
    beta: Array


@dataclass(frozen=True, eq=False)
class Head:
    """Tokens X (n, d), score maps A (d, d), a (d,), value map V (v, d), score constants c (n, n) or None."""

    X: Array
    A: Array
    V: Array
    a: Array
    c: Array | None = None
    layernorm: LayerNorm | None = None

    @property
    def is_causal(self) -> bool:
        return self.c is not None and bool((self.c == causal_mask(len(self.X))).all())

    @property
    def is_masked_only(self) -> bool:
        """Are all constants 0 or -inf, with a 0 in every row?"""
        return self.c is not None and bool(
            ((self.c == 0) | (self.c == -np.inf)).all() and (self.c == 0).any(axis=1).all()
        )

    @cached_property
    def b(self) -> Array:
        """Rows A x_i + a."""
        return self.X @ self.A.T + self.a

    @cached_property
    def P(self) -> Array:
        return softmax(self.b @ self.X.T if self.c is None else self.b @ self.X.T + self.c)

    @cached_property
    def centred(self) -> Array:
        """x_j - m_i, by i and j."""
        return self.X[None] - (self.P @ self.X)[:, None]

    @cached_property
    def C(self) -> Array:
        """The covariance of each row of P."""
        return np.einsum("ij,ijk,ijl->ikl", self.P, self.centred, self.centred, optimize=True)

    @cached_property
    def blocks(self) -> Array:
        """The Jacobian's blocks V (delta_ij C_i A + P_ij (I + (x_j - m_i) b_i^T)), by i and j."""
        n = len(self.X)
        moved = np.einsum("vk,ijk,il->ijvl", self.V, self.centred, self.b, optimize=True)
        blocks = self.P[:, :, None, None] * (self.V + moved)
        blocks[range(n), range(n)] += self.V @ self.C @ self.A
        return blocks

    @cached_property
    def jacobian(self) -> Array:
        n, _, v, d = self.blocks.shape
        return self.blocks.transpose(0, 2, 1, 3).reshape(n * v, n * d)

    @cached_property
    def jacobian_norm(self) -> float:
        return spectral_norm(self.jacobian)


def causal_mask(n: int) -> Array:
    """0 where token i sees token j, -inf elsewhere."""
    return np.where(np.tri(n, dtype=bool), 0.0, -np.inf)


@dataclass(frozen=True, eq=False)
class Layer:
    """Heads on the same tokens and their slices W_O^h, stacked as (H, d_out, v)."""

    heads: Sequence[Head]
    output: Array

    @cached_property
    def folded(self) -> list[Head]:
        """The heads with their slice of the output projection in the value map."""
        return [replace(head, V=slice_ @ head.V) for head, slice_ in zip(self.heads, self.output, strict=True)]

    @cached_property
    def jacobian(self) -> Array:
        return np.sum([head.jacobian for head in self.folded], axis=0)

    @cached_property
    def jacobian_norm(self) -> float:
        return spectral_norm(self.jacobian)


def softmax(scores: NDArray[Any]) -> NDArray[Any]:
    """Row by row; a row of -inf gives zeros. Complex scores are differentiated through."""
    top = np.real(scores).max(axis=1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = weights.sum(axis=1, keepdims=True)
    return weights / np.where(total == 0, 1.0, total)


def forward(head: Head, X: NDArray[Any]) -> NDArray[Any]:
    """The head's output at other tokens, real or complex."""
    scores = (X @ head.A.T + head.a) @ X.T
    return softmax(scores if head.c is None else scores + head.c) @ X @ head.V.T


def spectral_norm(matrix: Array) -> float:
    """The largest singular value from the smaller Gram matrix; scaled first, since entries are squared."""
    scale = np.abs(matrix).max(initial=0.0)
    if scale == 0:
        return 0.0
    tall = matrix / scale if matrix.shape[0] >= matrix.shape[1] else matrix.T / scale
    return float(scale * np.sqrt(np.linalg.eigvalsh(tall.T @ tall)[-1]))
