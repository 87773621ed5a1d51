"""One head with given score map A, query bias a and value map V, for counter-examples."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from certify.attention_layer import Array, AttentionLayer


def one_head(
    A: ArrayLike, V: ArrayLike, a: ArrayLike | None = None, scale_squared: Fraction | int = 1
) -> AttentionLayer:
    """Scores <A x_i + a, x_j> times the root of `scale_squared`: Q = A and K = I."""
    score, value = np.asarray(A, dtype=float), np.asarray(V, dtype=float)
    d = len(score)
    bias: Array = np.zeros(d) if a is None else np.asarray(a, dtype=float)
    return AttentionLayer(
        query_weight=score[None],
        query_bias=bias[None],
        key_weight=np.eye(d)[None],
        key_bias=np.zeros((1, d)),
        value_weight=value[None],
        value_bias=np.zeros((1, len(value))),
        output_weight=None,
        output_bias=None,
        scale_squared=Fraction(scale_squared),
        score_bias=None,
        sources={},
    )
