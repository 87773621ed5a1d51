"""Multi-head softmax attention."""

from ..letters import E, H, X, d, h, i, n, u
from ..softmax_heads import Sharing, softmax_attention
from ..variant import Variant

the_map, closed_form = softmax_attention(sharing=Sharing(own=(h,), shared=(h,), heads=(H,), groups=(H,)))

VARIANT = Variant(
    __name__,
    title="Multi-head attention",
    statement="$H$ heads of softmax attention, projected and added.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
)
