"""Softmax attention at a temperature: it divides the scores, so it scales the score term only."""

import sympy as sp

from ..letters import E, X, d, i, n, u
from ..softmax_heads import softmax_attention
from ..variant import Variant

temperature = sp.Symbol("tau", real=True)

the_map, closed_form = softmax_attention(scale=1 / temperature)

VARIANT = Variant(
    __name__,
    title="Attention at a temperature",
    statement="Softmax attention whose scores are divided by the temperature $\\tau$ instead of $\\sqrt k$.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
    hypotheses=(r"$\tau > 0$",),
)
