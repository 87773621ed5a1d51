"""Normalised queries, keys and values."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array, softmax, spectral_norm
from ..subject import Subject, jacobian_blocks

FAR, SMALL = 1e7, 1e-3  # so far out that a map with a small weight is normalised to length one


def _cosine(X: Array, Q: Array, K: Array, V: Array, tau: float = 1.0, eps: float = 1.0, nu: float = 1.0) -> Subject:
    def normalised(rows: NDArray[Any]) -> NDArray[Any]:
        return rows / np.sqrt((rows**2).sum(axis=1, keepdims=True) + eps)

    def f(Y: NDArray[Any]) -> NDArray[Any]:
        q, k, v = (normalised(Y @ W.T) for W in (Q, K, V))
        return nu * softmax(tau * q @ k.T) @ v

    numbers = {
        "n": len(X),
        "tau": tau,
        "nu": nu,
        "inverse_root_eps": 1 / np.sqrt(eps),
        "norm_WQ": spectral_norm(Q),
        "norm_WK": spectral_norm(K),
        "norm_WV": spectral_norm(V),
    }
    return Subject("cosine attention", jacobian_blocks(f, X), numbers, frozenset({"unmasked"}))


_ALONG, _ACROSS = np.array([[SMALL, 0.0]]), np.array([[0.0, 1.0]])


def values_alone_move() -> Iterator[Subject]:
    """Queries and keys far out on one axis, where all prefer the first token; values on the other, at zero."""
    for n, tau in ((20, 2.0), (2, 0.1), (50, 0.3)):
        X = np.full((n, 2), [-FAR, 0.0])
        X[0, 0] = FAR
        yield _cosine(X, _ALONG, -_ALONG, _ACROSS, tau=tau, eps=1e-4)


def queries_alone_move() -> Iterator[Subject]:
    X = np.array([[FAR, 0.0], [-FAR, 0.0]])
    yield _cosine(X, _ACROSS, _ALONG, _ALONG, tau=3.0, nu=2.0)


def keys_alone_move() -> Iterator[Subject]:
    X = np.array([[FAR, 0.0], [-FAR, 0.0]])
    yield _cosine(X, _ALONG, _ACROSS, _ALONG, tau=3.0, nu=2.0)


def random_tokens() -> Iterator[Subject]:
    rng = np.random.default_rng(26)
    for n, gain, eps in ((1, 1.0, 1.0), (4, 1.0, 0.1), (6, 30.0, 1e-3), (3, 1e-6, 1.0), (5, 0.01, 1e-4)):
        X, Q, K, V = gain * rng.standard_normal((n, 3)), *(rng.standard_normal((size, 3)) for size in (4, 4, 2))
        yield _cosine(X, Q, K, V, tau=2.0, eps=eps, nu=0.7)


def repeated_tokens_and_zero() -> Iterator[Subject]:
    rng = np.random.default_rng(27)
    x = rng.standard_normal(2)
    yield _cosine(np.array([x, x, np.zeros(2), -x]), np.eye(2), np.eye(2), np.eye(2), eps=0.01)
