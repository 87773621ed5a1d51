"""Rotary self-attention, and cross-attention in both of its inputs, where a theorem holds for every map."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..environment import NEAR, deflated_norm
from ..head import Array, softmax, spectral_norm
from ..subject import Subject, flat, jacobian_blocks


def _subject(f: Callable[[NDArray[Any]], NDArray[Any]], X: Array) -> Subject:
    blocks = jacobian_blocks(f, X)
    J = flat(blocks)
    numbers = {"deflated_norm": deflated_norm(NEAR * J), "distance": (1 - NEAR) * spectral_norm(J)}
    return Subject("differentiable map", blocks, numbers)


def rotary() -> Iterator[Subject]:
    rng = np.random.default_rng(41)
    for n, scale in ((1, 1.0), (3, 1.0), (4, 4.0)):
        Q, K, V = rng.standard_normal((3, 2, 2))
        turns = [np.array([[np.cos(p), -np.sin(p)], [np.sin(p), np.cos(p)]]) for p in range(n)]

        def turned(rows: NDArray[Any], turns: list[Array] = turns) -> NDArray[Any]:
            return np.stack([turn @ row for turn, row in zip(turns, rows, strict=True)])

        def f(x: NDArray[Any], Q: Array = Q, K: Array = K, V: Array = V) -> NDArray[Any]:
            return softmax(turned(x @ Q.T) @ turned(x @ K.T).T) @ x @ V.T

        yield _subject(f, scale * rng.standard_normal((n, 2)))


def cross() -> Iterator[Subject]:
    """The first two rows are the queries' tokens, the others those that are looked at."""
    rng = np.random.default_rng(42)
    for scale in (1.0, 3.0):
        A, V = rng.standard_normal((2, 2, 2))

        def f(z: NDArray[Any], A: Array = A, V: Array = V) -> NDArray[Any]:
            return softmax(z[:2] @ A @ z[2:].T) @ z[2:] @ V.T

        yield _subject(f, scale * rng.standard_normal((5, 2)))
