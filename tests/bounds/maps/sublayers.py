"""Attention with its residual connection, bare, with a LayerNorm after the sum, and with one before the attention."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..environment import NEAR, deflated_norm
from ..head import Array, softmax, spectral_norm
from ..subject import Subject, flat, jacobian_blocks


def _normed(x: NDArray[Any]) -> NDArray[Any]:
    y = x - x.mean(axis=1, keepdims=True)
    return y / np.sqrt((y * y).mean(axis=1, keepdims=True) + 1e-5)


def _sublayers(X: Array, A: Array, V: Array) -> Iterator[Subject]:
    def attention(x: NDArray[Any]) -> NDArray[Any]:
        return softmax(x @ A @ x.T) @ x @ V.T

    kinds: tuple[Callable[[NDArray[Any]], NDArray[Any]], ...] = (
        lambda x: x + attention(x),
        lambda x: _normed(x + attention(x)),
        lambda x: x + attention(_normed(x)),
    )
    for f in kinds:
        blocks = jacobian_blocks(f, X)
        J = flat(blocks)
        numbers = {"deflated_norm": deflated_norm(NEAR * J), "distance": (1 - NEAR) * spectral_norm(J)}
        yield Subject("attention sublayer", blocks, numbers)


def random_sublayers() -> Iterator[Subject]:
    rng = np.random.default_rng(31)
    for n, d, scale in ((1, 3, 1.0), (3, 3, 1.0), (4, 2, 5.0), (3, 4, 1e-2)):
        A, V = rng.standard_normal((d, d)), rng.standard_normal((d, d))
        yield from _sublayers(scale * rng.standard_normal((n, d)), A, V)


def against_the_identity() -> Iterator[Subject]:
    """Values that take the residual connection back, or double it, at tokens that are all alike and far apart."""
    for sign in (-1.0, 1.0):
        for X in (np.ones((3, 2)) * np.array([1.0, -0.5]), 4.0 * np.eye(3)):
            d = X.shape[1]
            yield from _sublayers(X, np.eye(d), sign * np.eye(d))
