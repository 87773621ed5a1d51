"""Multi-query attention: all heads share keys and values (Shazeer 2019)."""

from ..letters import E, H, X, d, h, i, n, u
from ..softmax_heads import Sharing, softmax_attention
from ..variant import Variant

the_map, closed_form = softmax_attention(sharing=Sharing(own=(h,), heads=(H,)))

VARIANT = Variant(
    __name__,
    title="Multi-query attention",
    statement="$H$ heads of softmax attention that share keys and values.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
)
