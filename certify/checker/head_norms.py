"""Each norm of one head that a step may use as an input, with the proof that its square is at most a given number.

A = scale K^T Q, a = scale K^T b_Q; through the LayerNorm before the layer, Gamma = diag(gamma), Pi = I - 1 1^T / d.
For a folded head V is W_O V. A symbol maps to a function (head, scale_squared, folded, square) -> proved.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from .exact import Exact
from .norms import gram_at_most, product_at_most
from .weights import Head

Proof = Callable[[Head, Fraction, bool, Fraction], bool]


def _value(gram: Callable[[Head], Exact]) -> Proof:
    def proof(head: Head, _: Fraction, folded: bool, square: Fraction) -> bool:
        if folded:
            return product_at_most(head.output_gram, gram(head), square)
        return gram_at_most(gram(head), square)

    return proof


def _bilinear(key: Callable[[Head], Exact], query: Callable[[Head], Exact]) -> Proof:
    return lambda head, scale_squared, _, square: product_at_most(key(head), query(head), square / scale_squared)


def _vector(key: Callable[[Head], Exact], query: Callable[[Head], Exact]) -> Proof:
    """|K^T q|^2 = q^T (K K^T) q for a column q, exactly."""

    def proof(head: Head, scale_squared: Fraction, _: bool, square: Fraction) -> bool:
        form = query(head).T @ key(head) @ query(head)
        return scale_squared * form.unit * form.rows[0][0] <= square

    return proof


HEAD_NORMS: Mapping[str, Proof] = {
    "norm_V": _value(lambda head: head.value_gram),
    "norm_VG": _value(lambda head: head.value_gram_through),
    "norm_A": _bilinear(lambda head: head.key_gram, lambda head: head.query_gram),
    "norm_GA": _bilinear(lambda head: head.key_gram_through, lambda head: head.query_gram),
    "norm_AG": _bilinear(lambda head: head.key_gram, lambda head: head.query_gram_through),
    "norm_GAG": _bilinear(lambda head: head.key_gram_through, lambda head: head.query_gram_through),
    "norm_a": _vector(lambda head: head.key_gram, lambda head: head.query_bias),
    "norm_c": _vector(lambda head: head.key_gram, lambda head: head.shifted_bias),
    "norm_Gc": _vector(lambda head: head.key_gram_through, lambda head: head.shifted_bias),
}
