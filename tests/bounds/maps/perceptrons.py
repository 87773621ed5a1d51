"""Activations entry by entry, perceptrons made of them, and a residual connection."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from ..head import Array, spectral_norm
from ..subject import Subject, jacobian_blocks

Map = Callable[[NDArray[Any]], NDArray[Any]]
TURNING = 1.1996786402577339  # y tanh y = 1, rounded up
PEAKS = {"gelu": np.sqrt(2.0), "silu": 2 * TURNING, "relu": 1.0}


def _gelu(x: NDArray[Any]) -> NDArray[Any]:
    return x * (1 + erf(x / np.sqrt(2))) / 2


def _silu(x: NDArray[Any]) -> NDArray[Any]:
    return x * (1 + np.tanh(x / 2)) / 2


def _relu(x: NDArray[Any]) -> NDArray[Any]:
    return np.where(np.real(x) > 0, x, 0)


_ACTIVATIONS: dict[str, tuple[Map, float]] = {
    "gelu": (_gelu, 1.1289041451851549),
    "silu": (_silu, (1 + TURNING) / 2),
    "relu": (_relu, 1.0),
}


def _mlp(word: str, W1: Array, W2: Array, bias: Array, X: Array) -> Subject:
    activation, slope = _ACTIVATIONS[word]
    blocks = jacobian_blocks(lambda tokens: activation(tokens @ W1.T + bias) @ W2.T, X)
    return Subject("mlp", blocks, {"slope": slope, "norm_W1": spectral_norm(W1), "norm_W2": spectral_norm(W2)})


def _gated(word: str, Wg: Array, Wu: Array, Wd: Array, X: Array) -> Subject:
    activation, slope = _ACTIVATIONS[word]
    numbers = {
        "slope": slope,
        "norm_Wg": spectral_norm(Wg),
        "norm_Wu": spectral_norm(Wu),
        "norm_Wd": spectral_norm(Wd),
        "R": float(np.linalg.norm(X, axis=1).max()),
    }
    return Subject("gated mlp", jacobian_blocks(lambda x: (activation(x @ Wg.T) * (x @ Wu.T)) @ Wd.T, X), numbers)


def _residual(M: Array) -> Subject:
    blocks = jacobian_blocks(lambda tokens: tokens + np.tanh(tokens) @ M.T, np.zeros((2, len(M))))
    return Subject("residual", blocks, {"branch": spectral_norm(M)})


def at_the_peak() -> Iterator[Subject]:
    """One entry where the activation is steepest."""
    one = np.ones((1, 1))
    for word, peak in PEAKS.items():
        at = np.array([[peak]])
        yield Subject(word, jacobian_blocks(_ACTIVATIONS[word][0], at), {"turning": TURNING})
        yield _mlp(word, one, one, np.zeros(1), at)
        yield _mlp(word, 2 * one, 3 * one, np.zeros(1), at / 2)
        yield _mlp(word, one / 4, one / 5, np.zeros(1), 4 * at)
        yield _gated(word, one, one, one, np.array([[10.0]]))
        yield _gated(word, 3 * one, 2 * one, 5 * one, np.array([[10.0]]))
        yield _gated(word, one, one, one, np.array([[0.1]]))
    yield from (_residual(size * np.eye(2)) for size in (0.1, 1.0, 5.0))


def random_points() -> Iterator[Subject]:
    rng = np.random.default_rng(22)
    for word, (activation, _) in _ACTIVATIONS.items():
        for scale in (1e-6, 1.0, 5.0, 300.0):
            X = scale * rng.standard_normal((2, 3))
            yield Subject(word, jacobian_blocks(activation, X), {"turning": TURNING})
            W1, W2, Wg = rng.standard_normal((4, 3)), rng.standard_normal((3, 4)), rng.standard_normal((4, 3))
            yield _mlp(word, W1, W2, rng.standard_normal(4), X)
            yield _gated(word, Wg, W1, W2, X)
    yield _residual(rng.standard_normal((3, 3)))


def rotations() -> Iterator[Subject]:
    """A rotation as the branch, which adds no length to the identity, and its opposite."""
    for M in (np.array([[0.0, -1.0], [1.0, 0.0]]), -np.eye(2)):
        yield _residual(M)
