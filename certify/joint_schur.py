"""The weighted block Schur test for the whole multi-head map, output projection included."""

from collections.abc import Callable, Sequence

import numpy as np

from .activations import Activations
from .arithmetic.interval import Interval
from .attention_layer import Array, AttentionLayer
from .joint_rows import JointRows
from .method import Enclosed
from .norms import largest_eigenvalue_upper
from .schur_weights import block_norms, perron_weights, searchable
from .token_blocks import TokenBlocks, seen_blocks
from .upper.local_schur import schur_column

Mapper = Callable[[Callable[[int], float], Sequence[int]], Sequence[float]]


def joint_schur(layer: AttentionLayer, X: Array, each: Mapper) -> Enclosed:
    """schur_column of the whole map; `each` maps the tokens, for instance over threads.

    The weights come from the heads' block norms as if their outputs never cancelled; the eigenvalues do see it.
    """
    rows = JointRows(Activations(layer, X))
    r = _weights(layer, X)
    lam = np.array(each(lambda i: float(largest_eigenvalue_upper(rows.gram(i, r[i]))), range(len(X))))
    return Enclosed({"schur_column": Interval.point(schur_column(lam, r))}, hints={"lam": lam, "r": r})


def _weights(layer: AttentionLayer, X: Array) -> Array:
    """r_ij for block norms (sum_h |W_h|^2 |T^h_ij|^2)^(1/2), in floating point."""
    assert layer.output_weight is not None
    square, seen = np.zeros((len(X), len(X))), np.zeros((len(X), len(X)), dtype=bool)
    for h in range(layer.heads):
        blocks = TokenBlocks(Activations(layer.head(h), X))
        seen |= seen_blocks(blocks.activations)
        if searchable(blocks.midpoints):
            with np.errstate(over="ignore"):
                square += (np.linalg.norm(layer.output_weight[:, h], 2) * block_norms(blocks.midpoints)) ** 2
    return perron_weights(np.sqrt(square), seen)
