"""What a theorem about any map is tested on: the Jacobian at a point, by blocks, and what the symbols are worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .head import spectral_norm

Array = NDArray[np.float64]
STEP = 1e-40  # an imaginary step this small leaves no truncation error


@dataclass(frozen=True, eq=False)
class Subject:
    """A map at a point: blocks (rows, columns, size of an output, size of an input), numbers by the symbols' names."""

    map: str
    blocks: Array
    numbers: Mapping[str, float]
    hypotheses: frozenset[str] = field(default_factory=frozenset)


def jacobian_blocks(f: Callable[[NDArray[Any]], NDArray[Any]], X: Array) -> Array:
    """Derivative of f (n, d) -> (m, v) by complex steps, as blocks (m, n, v, d); f has to be analytic around X."""
    n, d = X.shape
    columns = []
    for j in range(n):
        for k in range(d):
            moved = X.astype(complex)
            moved[j, k] += 1j * STEP
            columns.append(np.imag(f(moved)) / STEP)
    m, v = columns[0].shape
    return np.array(columns).reshape(n, d, m, v).transpose(2, 0, 3, 1)


def flat(blocks: Array) -> Array:
    rows, columns, v, d = blocks.shape
    return blocks.transpose(0, 2, 1, 3).reshape(rows * v, columns * d)


def induced_norm(blocks: Array, norm: str) -> float:
    """The norm of the Jacobian in a word of the theorems; for max-token and lp a number that is attained."""
    return _NORMS[norm](blocks)


def _max_token(blocks: Array) -> float:
    """In all rows at once, alternating ascent on |sum_j B_ij e_j| over |e_j| <= 1 from unit vectors of the output."""
    rows, _, v, _ = blocks.shape
    u = np.broadcast_to(np.vstack([np.eye(v), np.ones(v)]), (rows, v + 1, v))
    for _ in range(30):
        pulled = np.einsum("ijvd,isv->isjd", blocks, u, optimize=True)
        lengths = np.linalg.norm(pulled, axis=3, keepdims=True)
        u = np.einsum("ijvd,isjd->isv", blocks, pulled / np.where(lengths == 0, 1.0, lengths), optimize=True)
    return float(np.linalg.norm(u, axis=2).max())


def _linf(blocks: Array) -> float:
    return float(np.abs(flat(blocks)).sum(axis=1).max())


def _lp(blocks: Array) -> float:
    """The largest over p = 1, 2 and infinity."""
    return max(_linf(blocks), float(np.abs(flat(blocks)).sum(axis=0).max()), spectral_norm(flat(blocks)))


def _rms_sum(blocks: Array) -> float:
    """Queries, keys and values are equally many columns; the most that one of them alone can do."""
    outputs, inputs = blocks.shape[2:]
    parts = np.split(blocks, 3, axis=1)
    return max(_max_token(part) for part in parts) * float(np.sqrt(inputs / outputs))


_NORMS: Mapping[str, Callable[[Array], float]] = {
    "l2": lambda blocks: spectral_norm(flat(blocks)),
    "max-token": _max_token,
    "rms-sum": _rms_sum,
    "linf": _linf,
    "lp": _lp,
}
