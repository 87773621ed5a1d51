"""CenterNorm: the linear normalization that only takes the mean away."""

from ..notation import centering, gamma_max
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="CenterNorm",
    statement="CenterNorm has at most this Lipschitz constant on all inputs.",
    kind="upper",
    map="centernorm",
    norm="l2",
    domain="global",
    expr=centering * gamma_max,
    source="qi2023",
    examples=(Example(at={centering: 1.5, gamma_max: 2}, digits="3"),),
    near_misses=(
        NearMiss(claim=gamma_max, slip="the factor in front is forgotten"),
        NearMiss(claim=centering, slip="the weight is forgotten"),
    ),
)
