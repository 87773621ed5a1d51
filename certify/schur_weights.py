"""Good weights for the block Schur test: found in plain floating point, since any positive weights prove a bound.

For blocks of norm N_ij the test is sharpest at w_ij = N_ij / q_j with q the right Perron vector of N, where it gives
|N|. The blocks are more than their norms, though: after each round N_ij moves towards the size of the block in the
direction that was worst for row i, which lets rows gain whose blocks point in different directions.
"""

from dataclasses import fields

import numpy as np

from .attention_layer import Array
from .token_blocks import BlockRows

_FLOOR = 1e-9  # relative size below which a block is not worth a weight of its own
_ROUNDS = 3
_LARGEST_SEARCHED = 1e70  # its fourth power is still a double


def choose_weights(rows: BlockRows[Array], seen: np.ndarray) -> Array:
    """r_ij = w_ij^(-1/2), exact positive doubles where seen and 0 elsewhere: the best met in a few rounds, (n, n)."""
    if not searchable(rows):
        return seen.astype(np.float64)
    norms = block_norms(rows)
    best, best_value = perron_weights(norms, seen), np.inf
    for _ in range(_ROUNDS):
        r = perron_weights(norms, seen)
        values, vectors = np.linalg.eigh(rows.gram(*split(r)))
        value = column(values[:, -1], r).max()
        if not value < best_value:
            break
        best, best_value = r, value
        norms = 0.5 * norms + 0.5 * _sizes_along(rows, vectors[:, :, -1])
    return best


def searchable(rows: BlockRows[Array]) -> bool:
    """Whether no product that the search forms can overflow."""
    return all(np.abs(getattr(rows, part.name)).max(initial=0.0) < _LARGEST_SEARCHED for part in fields(rows))


def split(r: Array) -> tuple[Array, Array]:
    """r with zeros on the diagonal, and the diagonal as (n, 1, 1)."""
    off_diagonal = r.copy()
    np.fill_diagonal(off_diagonal, 0.0)
    return off_diagonal, np.diagonal(r)[:, None, None]


def column(lam: Array, r: Array) -> Array:
    """sum_i lam_i / r_ij^2 over the pairs that are seen, in floating point."""
    return np.divide(lam[:, None], r**2, out=np.zeros_like(r), where=r > 0).sum(0)


def perron_weights(block_norms: Array, seen: np.ndarray) -> Array:
    """r for w_ij = N_ij / q_j, rounded to float32 so that a certificate can store it in half the space."""
    N = np.where(seen, np.maximum(block_norms, _FLOOR * block_norms.max()), 0.0)
    top = N.max()
    if not (0.0 < top < np.inf):
        return seen.astype(np.float64)
    q = np.ones(len(N))
    for _ in range(60):  # power iteration on N^T N: a rough Perron vector is enough
        q = N.T @ (N @ q)
        q = q / q.max() + _FLOOR
    weights = np.where(seen, N / top / q, 1.0)
    r = (1.0 / np.sqrt(weights)).astype(np.float32).astype(np.float64)
    return np.where(seen, np.clip(r, 2.0**-60, 2.0**60), 0.0)


def block_norms(rows: BlockRows[Array]) -> Array:
    """About |B_ij|: (n, n)."""
    u = np.linalg.norm(rows.deviation, axis=-1)
    V_square = np.linalg.eigvalsh(rows.value_gram)[-1]
    N = rows.weights * np.sqrt(V_square + u**2 * rows.gradient_square[:, None])
    squares = np.linalg.eigvalsh(rows.diagonal @ rows.diagonal.mT)[:, -1]
    np.fill_diagonal(N, np.sqrt(np.maximum(squares, 0.0)))
    return N


def _sizes_along(rows: BlockRows[Array], directions: Array) -> Array:
    """About |B_ij^T t_i| for one direction t_i (n, v) a row: (n, n)."""
    along = (rows.deviation @ directions[..., None])[..., 0]
    back = ((directions @ rows.value_gram) * directions).sum(-1)[:, None]  # |V^T t|^2
    cross = (directions * rows.value_gradient).sum(-1)[:, None]  # <V^T t, b>
    square = back + 2 * along * cross + along**2 * rows.gradient_square[:, None]
    N = rows.weights * np.sqrt(np.maximum(square, 0.0))
    np.fill_diagonal(N, np.linalg.norm((directions[:, None] @ rows.diagonal)[:, 0], axis=-1))
    return N
