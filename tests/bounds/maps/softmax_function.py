"""Softmax of a vector of scores, alone and behind a linear map."""

from collections.abc import Iterator

import numpy as np

from ..environment import softmax_sensitivity
from ..head import Array, softmax, spectral_norm
from ..subject import Subject, jacobian_blocks


def _at(scores: Array) -> Subject:
    row = np.asarray(scores, dtype=float)[None]
    numbers = {"softmax_sensitivity": softmax_sensitivity(softmax(row))}
    return Subject("softmax function", jacobian_blocks(softmax, row), numbers)


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
