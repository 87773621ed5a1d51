"""Scores that fall with the squared distance, queries and keys tied."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array, softmax, spectral_norm
from ..subject import Subject, jacobian_blocks


def _tied(X: Array, WQ: Array, WV: Array) -> Subject:
    root = np.sqrt(len(WQ))

    def f(Y: NDArray[Any]) -> NDArray[Any]:
        q = Y @ WQ.T
        scores = -((q[:, None] - q[None]) ** 2).sum(axis=2) / root
        return softmax(scores) @ (q @ WQ) @ WV.T / root

    numbers = {
        "n": len(X),
        "inverse_root_k": 1 / root,
        "norm_WQ": spectral_norm(WQ),
        "norm_WV": spectral_norm(WV),
        "row_sum_WQ": float(np.abs(WQ).sum(axis=1).max()),
        "column_sum_WQ": float(np.abs(WQ).sum(axis=0).max()),
        "row_sum_WV": float(np.abs(WV).sum(axis=1).max()),
    }
    return Subject("l2 attention", jacobian_blocks(f, X), numbers, frozenset({"unmasked"}))


def two_tokens() -> Iterator[Subject]:
    """At the distance where the difference of the outputs moves fastest."""
    for gap in (0.0, 0.5, 1.0, 1.2247, 2.0, 40.0):
        yield _tied(np.array([[gap], [0.0]]), np.eye(1), np.eye(1))
        yield _tied(np.array([[gap], [0.0]]) / 10, 10 * np.eye(1), 2 * np.eye(1))


def one_token() -> Iterator[Subject]:
    yield _tied(np.array([[3.0, 4.0]]), np.diag([10.0, 1.0]), np.eye(2))
    yield _tied(np.array([[1e5]]), 1e-3 * np.eye(1), np.eye(1))


def rings() -> Iterator[Subject]:
    """One token in the middle of others, as far as they still see it, and far from each other."""
    for n, d in ((5, 4), (9, 8), (30, 29)):
        for radius in (0.5, 1.0, 1.5, 2.0):
            X = radius * np.eye(n, d, k=-1)
            yield _tied(X * d**0.25, np.eye(d), np.eye(d))


def a_crowd_and_one() -> Iterator[Subject]:
    for n in (3, 20, 100):
        for gap in (1.0, 1.5, 2.0, 2.5):
            X = np.zeros((n, 1))
            X[0] = gap
            yield _tied(X, np.eye(1), np.eye(1))


def random_tokens() -> Iterator[Subject]:
    rng = np.random.default_rng(28)
    for n, gain in ((2, 1.0), (6, 1.0), (12, 0.5), (5, 1e3), (4, 1e-6)):
        yield _tied(gain * rng.standard_normal((n, 2)), rng.standard_normal((3, 2)), rng.standard_normal((2, 2)))
