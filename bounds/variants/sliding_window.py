"""Causal attention in a window: a token sees itself and the w - 1 tokens before it."""

import sympy as sp

from ..letters import E, X, d, i, j, n, u, visible
from ..softmax_heads import softmax_attention
from ..variant import Variant

width = sp.Symbol("w", integer=True, positive=True)

the_map, closed_form = softmax_attention(weight=visible(sp.And(sp.Le(j, i), sp.Lt(i, j + width))))

VARIANT = Variant(
    __name__,
    title="Sliding-window attention",
    statement="Softmax attention in which a token sees itself and the $w - 1$ tokens before it.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
)
