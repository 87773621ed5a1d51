"""Softmax self-attention, one head, with biases of queries, keys, values and output."""

from ..letters import E, X, d, i, n, u
from ..softmax_heads import softmax_attention
from ..variant import Variant

the_map, closed_form = softmax_attention()

VARIANT = Variant(
    __name__,
    title="Softmax attention",
    statement="Every token is sent to the average of the values, weighted by the softmax of the scaled scores.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
    note="The bias of the keys drops out of the derivative, that of the queries does not.",
)
