"""Inputs of the theorems at a point that speak about the stored tokens and their attention weights.

A symbol maps to a function (head at the input, number) -> whether the quantity was proved to be at most the number.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from .activations import HeadAtInput
from .exact import Exact, plus
from .fixed import ONE, Fixed
from .norms import gram_at_most, product_at_most

Proof = Callable[[HeadAtInput, Fraction], bool]


def largest_at_most(matrix: Fixed, square: Fraction) -> bool:
    """Whether lambda_max <= square was proved for the true symmetric matrix: |true - rows| <= size * error."""
    slack = Fraction(len(matrix.rows) * matrix.error, ONE)
    return gram_at_most(Exact(matrix.rows, Fraction(1, ONE)), square - slack)


def tokens_norm(at: HeadAtInput, bound: Fraction) -> bool:
    """norm_X = |X|."""
    wide = len(at.tokens.rows) <= len(at.tokens.rows[0])
    return gram_at_most((at.tokens if wide else at.tokens.T).gram(), bound * bound)


def score_gradient_norm(at: HeadAtInput, bound: Fraction) -> bool:
    """norm_B = |B| with rows b_i = scale K^T q_i."""
    count = len(at.tokens.rows)
    bias = at.head.query_bias.T
    query = plus(at.tokens @ at.head.query.T, Exact(bias.rows * count, bias.unit))
    return product_at_most(at.head.key_gram, query.T.gram(), bound * bound / at.layer.scale_squared)


def attention_norm(at: HeadAtInput, bound: Fraction) -> bool:
    """norm_P = |P|."""
    return largest_at_most(at.weights.T @ at.weights, bound * bound)


def softmax_sensitivity(at: HeadAtInput, bound: Fraction) -> bool:
    """max_i p1 (1 - p1 + p2): for weights below P entry by entry, p1 (rest + p2) is monotone in every entry."""
    for row in at.weights.rows:
        above = sorted((entry + at.weights.error for entry in row), reverse=True)
        second = above[1] if len(above) > 1 else 0
        if not Fraction(above[0] * (sum(above[1:]) + second), ONE * ONE) <= bound:
            return False
    return True


LOCAL_NORMS: Mapping[str, Proof] = {
    "norm_X": tokens_norm,
    "norm_B": score_gradient_norm,
    "norm_P": attention_norm,
    "softmax_sensitivity": softmax_sensitivity,
}
