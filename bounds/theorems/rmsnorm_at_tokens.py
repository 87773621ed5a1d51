"""RMSNorm at given tokens: one over the least root mean square."""

from ..notation import gamma_max, inverse_deviation
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="RMSNorm at given tokens",
    statement=r"At tokens with the mean squares $v_i$ the Jacobian of RMSNorm has at most this norm.",
    kind="upper",
    map="rmsnorm",
    norm="l2",
    domain="point",
    expr=gamma_max * inverse_deviation,
    source="new",
    examples=(Example(at={gamma_max: 1.75, inverse_deviation: 4}, digits="7"),),
    near_misses=(
        NearMiss(claim=gamma_max, slip="normalizing does not stretch"),
        NearMiss(claim=inverse_deviation, slip="the weight is forgotten"),
    ),
)
