"""Good weights for the block Schur test: found in plain floating point, since any positive weights prove a bound.

For blocks of norm N_ij the test is sharpest at w_ij = N_ij / q_j with q the right Perron vector of N, where it gives |N|.
The blocks are more than their norms, though: after a first round N_ij is replaced by the size of the block in the
direction that was worst for row i, which lets rows whose blocks point in different directions gain.
"""

import numpy as np

from .attention_layer import Array

_FLOOR = 1e-9  # relative size below which a block is not worth a weight of its own


def from_block_norms(block_norms: Array, seen: np.ndarray) -> Array:
    """r_ij = w_ij^(-1/2) for w_ij = N_ij / q_j, exact positive doubles; pairs that are not seen get 0.

    Rounded to float32, so that a certificate stores them in half the space.
    """
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
