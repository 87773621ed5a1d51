"""LayerNorm at given tokens: one over the least deviation."""

from ..notation import gamma_max, inverse_deviation
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="LayerNorm at given tokens",
    statement=r"At tokens with the variances $v_i$ the Jacobian of LayerNorm has at most this norm.",
    kind="upper",
    map="layernorm",
    norm="l2",
    domain="point",
    expr=gamma_max * inverse_deviation,
    source="new",
    examples=(Example(at={gamma_max: 1.5, inverse_deviation: 4}, digits="6"),),
    near_misses=(
        NearMiss(claim=gamma_max, slip="normalizing does not stretch"),
        NearMiss(claim=inverse_deviation, slip="the weight is forgotten"),
    ),
)
