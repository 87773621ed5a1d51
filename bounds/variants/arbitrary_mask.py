"""Softmax attention with any mask or additive constants, as nonnegative weights w_ij = exp(c_ij)."""

from ..letters import E, X, d, i, j, letter, n, u
from ..softmax_heads import softmax_attention
from ..variant import Variant

weight = letter("w", n, n, nonnegative=True)

the_map, closed_form = softmax_attention(weight=weight[i, j])

VARIANT = Variant(
    __name__,
    title="Attention with any mask",
    statement="Softmax attention whose scores have additive constants $c_{ij}$: $w_{ij} = e^{c_{ij}}$, and $0$ "
    "for a hidden token.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
    hypotheses=("no weight is negative", "every row has a positive weight"),
)
