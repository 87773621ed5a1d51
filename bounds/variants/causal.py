"""Causal softmax attention: a token sees itself and those before it."""

import sympy as sp

from ..letters import E, X, d, i, j, n, u, visible
from ..softmax_heads import softmax_attention
from ..variant import Variant

the_map, closed_form = softmax_attention(weight=visible(sp.Le(j, i)))

VARIANT = Variant(
    __name__,
    title="Causal attention",
    statement="Softmax attention in which a token sees itself and the tokens before it.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
)
