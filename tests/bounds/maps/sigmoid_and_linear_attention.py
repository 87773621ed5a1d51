"""Attention whose rows are not normalised."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array, spectral_norm
from ..subject import Subject, jacobian_blocks


def _weights(map_: str, scores: NDArray[Any]) -> NDArray[Any]:
    return scores / len(scores) if map_ == "linear attention" else (1 + np.tanh(scores / 2)) / 2


def _both(X: Array, A: Array, V: Array, a: Array) -> Iterator[Subject]:
    numbers = {
        "n": len(X),
        "R": float(np.linalg.norm(X, axis=1).max()),
        "norm_A": spectral_norm(A),
        "norm_a": float(np.linalg.norm(a)),
        "norm_V": spectral_norm(V),
    }
    for map_ in ("linear attention", "sigmoid attention"):
        blocks = jacobian_blocks(lambda Y, m=map_: _weights(m, (Y @ A.T + a) @ Y.T) @ Y @ V.T, X)
        yield Subject(map_, blocks, numbers)


def equal_tokens() -> Iterator[Subject]:
    """All along the leading direction: every term pulls the same way."""
    for n, size in ((1, 0.7), (6, 1.0), (6, 0.5)):
        X = np.tile([size, 0.0], (n, 1))
        yield from _both(X, np.diag([1.0, 0.5]), 2 * np.eye(2), np.zeros(2))


def query_bias_alone() -> Iterator[Subject]:
    for n in (1, 4):
        yield from _both(np.tile([1.0, 0.0], (n, 1)), np.zeros((2, 2)), np.eye(2), np.array([0.8, 0.0]))


def random_tokens() -> Iterator[Subject]:
    rng = np.random.default_rng(21)
    for n, d, gain in ((1, 1, 1.0), (3, 2, 1.0), (7, 3, 30.0), (5, 2, 1e-6), (4, 3, 1e3)):
        X, A, V = gain * rng.standard_normal((n, d)), rng.standard_normal((d, d)), rng.standard_normal((d + 1, d))
        yield from _both(X, A, V, rng.standard_normal(d))


def repeated_and_opposite_tokens() -> Iterator[Subject]:
    rng = np.random.default_rng(22)
    x = rng.standard_normal(3)
    X = np.array([x, x, -x, x, np.zeros(3)])
    yield from _both(X, -np.eye(3), np.eye(3), np.zeros(3))
