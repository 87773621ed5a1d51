"""Cross-attention: queries from X, keys and values from Y, differentiated in both."""

from ..letters import E, F, X, Y, d, i, n, u
from ..softmax_heads import softmax_attention
from ..variant import Variant

the_map, closed_form = softmax_attention(second_input=True)

VARIANT = Variant(
    __name__,
    title="Cross-attention",
    statement="Softmax attention with queries from $X$, and keys and values from $Y$; both move.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E, Y: F},
    output={i: n, u: d},
)
