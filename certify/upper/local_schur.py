"""The weighted block Schur test at a point: the sharpest closed form for one head."""

from collections.abc import Mapping

import numpy as np

from ..arithmetic.elementary import reciprocal
from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array
from ..norms import largest_eigenvalue_upper
from ..situation import Situation
from ..method import Method
from ..schur_weights import from_block_norms
from ..token_blocks import TokenBlocks

_ROUNDS = 3


def inputs(situation: Situation) -> Mapping[str, Interval]:
    """schur_column = max_j sum_i w_ij lam_i for the best of a few weights, every step enclosed."""
    blocks = situation.blocks
    r = choose_weights(blocks)
    return {"schur_column": Interval.point(schur_column(blocks, r))}


def choose_weights(blocks: TokenBlocks) -> Array:
    """r_ij = w_ij^(-1/2): the best weights met in a few rounds, compared in floating point."""
    seen = blocks.seen()
    norms = blocks.block_norm_estimate()
    best, best_value = from_block_norms(norms, seen), np.inf
    for _ in range(_ROUNDS):
        r = from_block_norms(norms, seen)
        values, vectors = np.linalg.eigh(row_matrices(blocks, r).mid)
        value = float(np.where(seen, values[:, -1:] / np.where(seen, r, 1.0) ** 2, 0.0).sum(0).max())
        if not value < best_value:
            break
        best, best_value = r, value
        norms = 0.5 * norms + 0.5 * blocks.block_size_along(vectors[:, :, -1])
    return best


def row_matrices(blocks: TokenBlocks, r: Array) -> BallMatrix:
    """sum_j r_ij^2 B_ij B_ij^T for every row i: (n, v, v)."""
    off_diagonal = r.copy()
    np.fill_diagonal(off_diagonal, 0.0)
    scaled = blocks.diagonal * BallMatrix.exact(np.diagonal(r)[:, None, None])
    return blocks.row_gram(blocks.P * BallMatrix.exact(off_diagonal)) + scaled @ scaled.T


def schur_column(blocks: TokenBlocks, r: Array) -> float:
    """An upper bound, rounded up, of max_j sum_i lam_i / r_ij^2 over the pairs that are seen."""
    lam = BallMatrix.exact(largest_eigenvalue_upper(row_matrices(blocks, r)))
    seen = r > 0
    share = reciprocal(BallMatrix.exact(np.where(seen, r, 1.0)))
    terms = share * share * lam[:, None] * BallMatrix.exact(seen.astype(np.float64))
    return float(terms.sum(0).upper().max())


METHOD = Method(theorem="local-schur", domain="point", inputs=inputs)
