"""RMSNorm on all inputs: the token zero is stretched most."""

from ..notation import gamma_max, inverse_root_eps
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="RMSNorm on all inputs",
    statement="RMSNorm has at most this Lipschitz constant on all inputs.",
    kind="upper",
    map="rmsnorm",
    norm="l2",
    domain="global",
    expr=gamma_max * inverse_root_eps,
    source="new",
    examples=(Example(at={gamma_max: 1.75, inverse_root_eps: 1000}, digits="1750"),),
    near_misses=(
        NearMiss(claim=gamma_max, slip="normalizing does not stretch"),
        NearMiss(claim=inverse_root_eps, slip="the weight is forgotten"),
    ),
)
