"""Queries, keys and values given one by one, as in training with bounded weights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..head import Array, softmax
from ..subject import Subject, jacobian_blocks


def _triple(q: Array, k: Array, v: Array) -> Subject:
    d = q.shape[1]

    def f(all_three: NDArray[Any]) -> NDArray[Any]:
        queries, keys, values = np.split(all_three, 3)
        return softmax(queries @ keys.T / d) @ values

    together = np.concatenate([q, k, v])
    largest = float(np.sqrt((together**2).mean(axis=1)).max())
    met = frozenset({"unit-rms"}) if largest <= 1 + 1e-12 else frozenset[str]()
    return Subject("query-key-value attention", jacobian_blocks(f, together), {}, met)


def values_move_together() -> Iterator[Subject]:
    yield _triple(np.ones((3, 2)), np.ones((3, 2)), np.zeros((3, 2)))


def a_query_between_opposite_keys() -> Iterator[Subject]:
    """The weights of two keys are equal, and so are the lengths of keys and values: the covariance is one."""
    k = np.array([[1.0, 1.0], [-1.0, -1.0]])
    for sign in (1.0, -1.0):
        yield _triple(np.zeros((2, 2)), k, sign * k)


def random_triples() -> Iterator[Subject]:
    rng = np.random.default_rng(30)
    for n, d in ((1, 1), (3, 2), (6, 4), (5, 3)):
        parts = rng.standard_normal((3, n, d))
        yield _triple(*parts / np.sqrt((parts**2).mean(axis=2, keepdims=True)))
        yield _triple(*parts / 1e3)
