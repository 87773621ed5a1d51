"""Rotary positions."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array, softmax, spectral_norm
from ..subject import Subject, jacobian_blocks


def _rotated(tokens: NDArray[Any], angles: Array) -> NDArray[Any]:
    """Pairs of coordinates, each turned by position times angle."""
    turn = np.arange(len(tokens))[:, None] * angles
    even, odd = tokens[:, ::2], tokens[:, 1::2]
    pairs = (even * np.cos(turn) - odd * np.sin(turn), even * np.sin(turn) + odd * np.cos(turn))
    return np.stack(pairs, axis=2).reshape(len(tokens), -1)


def _rotary(X: Array, Q: Array, K: Array, V: Array, angles: Array) -> Subject:
    root = np.sqrt(len(Q))

    def f(Y: NDArray[Any]) -> NDArray[Any]:
        return softmax(_rotated(Y @ Q.T, angles) @ _rotated(Y @ K.T, angles).T / root) @ Y @ V.T

    numbers = {
        "n": len(X),
        "R": float(np.linalg.norm(X, axis=1).max()),
        "norm_KQ": spectral_norm(K) * spectral_norm(Q) / root,
        "norm_V": spectral_norm(V),
    }
    return Subject("rotary softmax", jacobian_blocks(f, X), numbers, frozenset({"unmasked"}))


def one_token_against_many() -> Iterator[Subject]:
    """Without any turn, the head of the theorems about softmax; with half turns, tokens turned against them."""
    for n in (2, 12, 150):
        X = np.zeros((n, 2))
        X[:, 0] = -1.0
        X[0] = [1.0, 0.0]
        yield _rotary(X, 2 * np.eye(2), -np.eye(2) * np.sqrt(2.0), np.eye(2), np.zeros(1))
        yield _rotary(X * (-1.0) ** np.arange(n)[:, None], 2 * np.eye(2), -np.eye(2), np.eye(2), np.full(1, np.pi))


def random_turns() -> Iterator[Subject]:
    rng = np.random.default_rng(24)
    for n, gain in ((1, 1.0), (4, 1.0), (7, 1.0), (5, 30.0), (3, 1e-6)):
        X, Q, K, V = gain * rng.standard_normal((n, 3)), *(rng.standard_normal((size, 3)) for size in (4, 4, 2))
        yield _rotary(X, Q, K, V, np.array([1.0, 0.01]))


def repeated_tokens() -> Iterator[Subject]:
    rng = np.random.default_rng(25)
    X = np.tile(rng.standard_normal(2), (5, 1))
    yield _rotary(X, np.eye(2), np.eye(2), np.eye(2), np.array([2.0]))
