"""Tokens that are all the same and move together: attention is the value map."""

from ..hypotheses import MASK_ONLY
from ..notation import norm_V
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Lower bound by equal tokens",
    statement="On inputs in a ball of any positive radius, one softmax head has at least this Lipschitz constant.",
    kind="lower",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=norm_V,
    source="new",
    hypotheses=(MASK_ONLY,),
    examples=(Example(at={norm_V: 2}, digits="2"),),
    near_misses=(NearMiss(claim=2 * norm_V, slip="weights always add something to the value map"),),
)
