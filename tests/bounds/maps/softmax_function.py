"""Softmax of a vector of scores, alone and behind a linear map."""

from collections.abc import Iterator

import numpy as np

from ..environment import softmax_sensitivity
from ..head import Array, softmax, spectral_norm
from ..subject import Subject, jacobian_blocks


def _at(scores: Array) -> Subject:
    row = np.asarray(scores, dtype=float)[None]
    numbers = {"softmax_sensitivity": softmax_sensitivity(softmax(row)), "softmax_root": _root(softmax(row)[0])}
    J = -np.outer(*2 * (softmax(row)[0],))
    np.fill_diagonal(J, 0.0)
    np.fill_diagonal(J, -J.sum(axis=1))  # rows sum to zero; p (1 - p) would cancel where p is nearly one
    assert np.allclose(J, jacobian_blocks(softmax, row)[0, 0], rtol=1e-6, atol=1e-12)
    return Subject("softmax function", J[None, None], numbers)


def _root(weights: Array) -> float:
    """Where 1 + sum p^2 / (t - p) crosses zero between the two largest weights.

    The largest weight's term and the one are put together as (t - p (1 - p)) / (t - p), so that nothing cancels.
    """
    ordered = np.sort(np.append(weights, 0.0))
    rest, first = ordered[:-1], ordered[-1]
    second = rest.max()
    low, high = second, first
    for _ in range(2000):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        above = (middle - first * rest.sum()) / (middle - first) + np.sum(rest**2 / (middle - rest)) < 0
        low, high = (low, middle) if above else (middle, high)
    return float(high)


def _behind(W: Array, x: Array, bias: Array) -> Subject:
    blocks = jacobian_blocks(lambda rows: softmax(rows @ W.T + bias), x[None])
    return Subject("softmax head", blocks, {"norm_W": spectral_norm(W)})


def equal_scores() -> Iterator[Subject]:
    """Two equal scores above all others attain one half."""
    yield from (_at(np.array(scores)) for scores in ([0.0, 0.0], [3.0, 3.0, -60.0], [7.0, 7.0, 7.0]))
    yield _behind(np.array([[1.0], [-1.0]]), np.zeros(1), np.zeros(2))
    yield _behind(np.array([[4.0, 0.0], [-4.0, 0.0], [0.0, 1.0]]), np.zeros(2), np.array([0.0, 0.0, -50.0]))


def random_scores() -> Iterator[Subject]:
    rng = np.random.default_rng(20)
    yield from (_at(scale * rng.standard_normal(n)) for n in (1, 2, 5, 30) for scale in (1e-9, 1.0, 10.0, 1e3))
    for n, d in ((2, 3), (6, 4)):
        yield _behind(rng.standard_normal((n, d)), rng.standard_normal(d), rng.standard_normal(n))


def one_large_weight() -> Iterator[Subject]:
    yield from (_at(np.array([gap, 0.0, 0.0])) for gap in (0.5, 2.0, 40.0, 800.0))
