"""ALiBi: a causal mask and a penalty proportional to the distance (Press, Smith and Lewis 2022)."""

import sympy as sp

from ..letters import E, X, d, i, j, n, u, visible
from ..softmax_heads import softmax_attention
from ..variant import Variant

slope = sp.Symbol("alpha", real=True)

the_map, closed_form = softmax_attention(weight=visible(sp.Le(j, i)) * sp.exp(-slope * (i - j)))

VARIANT = Variant(
    __name__,
    title="ALiBi attention",
    statement="Causal softmax attention whose scores lose $\\alpha$ times the distance $i - j$.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
)
