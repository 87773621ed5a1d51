"""Attention from one sequence to another; the tokens that move are those of both."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array, softmax, spectral_norm
from ..subject import Subject, jacobian_blocks


def _pair(X: Array, Y: Array, A: Array, V: Array, a: Array) -> Subject:
    queries = len(X)

    def f(both: NDArray[Any]) -> NDArray[Any]:
        x, y = both[:queries], both[queries:]
        return softmax((x @ A.T + a) @ y.T) @ y @ V.T

    numbers = {
        "n": queries,
        "inverse_fewest": 1 / len(Y),
        "R": float(np.linalg.norm(X, axis=1).max()),
        "R_keys": float(np.linalg.norm(Y, axis=1).max()),
        "norm_A": spectral_norm(A),
        "norm_a": float(np.linalg.norm(a)),
        "norm_V": spectral_norm(V),
    }
    return Subject("cross-attention", jacobian_blocks(f, np.concatenate([X, Y])), numbers)


def one_key_against_many() -> Iterator[Subject]:
    """All queries prefer one key, and follow it."""
    for queries, keys in ((64, 300), (8, 30)):
        Y = np.ones((keys, 1))
        Y[1:] = -1.0
        yield _pair(np.full((queries, 1), 2.0), Y, np.eye(1), np.eye(1), np.zeros(1))
        yield _pair(np.zeros((queries, 1)), Y, np.zeros((1, 1)), np.eye(1), np.full(1, 2.0))


def two_far_keys() -> Iterator[Subject]:
    """A short query between two far keys: the weights move with it, and by nothing else."""
    Y = np.array([[3.0, 0.0], [-3.0, 0.0]])
    for x in (0.0, 0.01):
        yield _pair(np.array([[x, 0.0]]), Y, np.eye(2), 2 * np.eye(2), np.zeros(2))


def random_sequences() -> Iterator[Subject]:
    rng = np.random.default_rng(23)
    for n, m, gain in ((1, 1, 1.0), (3, 5, 1.0), (6, 2, 1.0), (4, 4, 30.0), (3, 3, 1e-6)):
        X, Y, A, V = (rng.standard_normal(shape) for shape in ((n, 2), (m, 3), (3, 2), (2, 3)))
        yield _pair_of_sizes(gain * X, gain * Y, A, V, rng.standard_normal(3))


def _pair_of_sizes(X: Array, Y: Array, A: Array, V: Array, a: Array) -> Subject:
    """Queries of another size than keys: padded with zeros, which no map reads."""
    wide = np.pad(X, ((0, 0), (0, Y.shape[1] - X.shape[1])))
    return _pair(wide, Y, np.pad(A, ((0, 0), (0, Y.shape[1] - X.shape[1]))), V, a)
