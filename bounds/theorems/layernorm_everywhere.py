"""LayerNorm on all inputs: tokens without variance are stretched most."""

from ..notation import gamma_max, inverse_root_eps
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="LayerNorm on all inputs",
    statement="LayerNorm has at most this Lipschitz constant on all inputs, whatever its bias.",
    kind="upper",
    map="layernorm",
    norm="l2",
    domain="global",
    expr=gamma_max * inverse_root_eps,
    source="new",
    examples=(Example(at={gamma_max: 1.5, inverse_root_eps: 1000}, digits="1500"),),
    near_misses=(
        NearMiss(claim=gamma_max, slip="normalizing does not stretch"),
        NearMiss(claim=inverse_root_eps, slip="the weight is forgotten"),
    ),
)
