"""Grouped-query attention: G heads in a row share keys and values (Ainslie et al. 2023)."""

import sympy as sp

from ..letters import E, G, H, X, d, h, i, n, u
from ..softmax_heads import Sharing, softmax_attention
from ..variant import Variant

the_map, closed_form = softmax_attention(
    sharing=Sharing(own=(h,), shared=(sp.ceiling(h / G),), heads=(H,), groups=(H / G,))
)

VARIANT = Variant(
    __name__,
    title="Grouped-query attention",
    statement="$H$ heads of softmax attention; each $G$ in a row share keys and values.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
    hypotheses=("$G$ divides $H$",),
)
