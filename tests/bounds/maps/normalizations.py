"""LayerNorm, RMSNorm and CenterNorm on tokens of every length, down to those without variance."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array
from ..subject import Subject, jacobian_blocks


def _normalizations(X: Array, gamma: Array, eps: float) -> Iterator[Subject]:
    d = X.shape[1]

    def centred(tokens: NDArray[Any]) -> NDArray[Any]:
        return tokens - tokens.mean(axis=1, keepdims=True)

    def root(tokens: NDArray[Any]) -> NDArray[Any]:
        return np.sqrt((tokens**2).mean(axis=1, keepdims=True) + eps)

    for word, before in (("layernorm", centred), ("rmsnorm", lambda tokens: tokens)):
        blocks = jacobian_blocks(lambda tokens: gamma * before(tokens) / root(before(tokens)), X)  # noqa: B023
        numbers = {
            "gamma_max": float(np.abs(gamma).max()),
            "inverse_root_eps": eps**-0.5,
            "inverse_deviation": float(1 / root(before(X)).min()),
        }
        yield Subject(word, blocks, numbers)
    if d > 1:
        blocks = jacobian_blocks(lambda tokens: d / (d - 1) * gamma * centred(tokens), X)
        yield Subject("centernorm", blocks, {"gamma_max": float(np.abs(gamma).max()), "centering": d / (d - 1)})


def no_variance() -> Iterator[Subject]:
    """The zero token, a constant one, and one that varies far below the root of epsilon."""
    for d, size in ((2, 2.0), (5, 1.0), (3, 0.5)):
        X: Array = np.stack([np.zeros(d), np.full(d, 7.0), np.linspace(0.0, 1e-9, d)])
        yield from _normalizations(X, np.full(d, size), 1e-5)


def random_tokens() -> Iterator[Subject]:
    rng = np.random.default_rng(21)
    for n, d, scale in ((1, 1, 1.0), (3, 4, 1.0), (2, 8, 1e-3), (4, 3, 1e4)):
        yield from _normalizations(scale * rng.standard_normal((n, d)), rng.standard_normal(d), 1e-5)


def along_an_axis() -> Iterator[Subject]:
    """A large weight on the axis that a token does not have, with a deviation above and below one."""
    for length in (0.1, 10.0):
        yield from _normalizations(np.array([[length, -length, 0.0, 0.0]]), np.array([1.0, 1.0, 3.0, 3.0]), 1e-12)
