"""The weighted block Schur test at a point: the sharpest closed form for one head."""

import numpy as np

from ..arithmetic.elementary import reciprocal
from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array
from ..method import Enclosed, Method
from ..norms import largest_eigenvalue_upper
from ..schur_weights import choose_weights, split
from ..situation import Situation
from ..token_blocks import BlockRows, seen_blocks


def enclosed(situation: Situation) -> Enclosed:
    """schur_column = max_j sum_i w_ij lam_i for well chosen weights, every step enclosed."""
    blocks = situation.blocks
    r = choose_weights(blocks.midpoints, seen_blocks(situation.activations))
    lam = row_eigenvalues(blocks.rows, r)
    return Enclosed({"schur_column": Interval.point(schur_column(lam, r))}, hints={"lam": lam, "r": r})


def row_eigenvalues(rows: BlockRows[BallMatrix], r: Array) -> Array:
    """lam_i >= lambda_max(sum_j r_ij^2 B_ij B_ij^T), rounded up: (n,). Where r_ij = 0 the block (i, j) must be zero."""
    off_diagonal, on_diagonal = split(r)
    return largest_eigenvalue_upper(rows.gram(BallMatrix.exact(off_diagonal), BallMatrix.exact(on_diagonal)))


def schur_column(lam: Array, r: Array) -> float:
    """An upper bound, rounded up, of max_j sum_i lam_i / r_ij^2 over the pairs with r_ij > 0."""
    seen = r > 0
    share = reciprocal(BallMatrix.exact(np.where(seen, r, 1.0)))
    terms = share * share * BallMatrix.exact(lam[:, None]) * BallMatrix.exact(seen.astype(np.float64))
    return float(terms.sum(0).upper().max())


METHOD = Method(theorem="local-schur", domain="point", enclosed=enclosed, costly=True)
