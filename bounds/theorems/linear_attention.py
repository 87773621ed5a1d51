"""Attention without softmax: weights are the scores over n, of either sign."""

from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Linear attention on a ball",
    statement="On inputs of any number of tokens of norm at most $R$, linear attention has at most this Lipschitz "
    "constant; equal tokens along the leading direction of a symmetric $A$ attain it without query bias.",
    kind="upper",
    map="linear attention",
    norm="l2",
    domain="ball",
    expr=norm_V * (rho + 2 * beta),
    source="new",
    examples=(
        Example(at={R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="3"),
        Example(at={R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="9.5"),
    ),
    near_misses=(
        NearMiss(claim=norm_V * (rho + beta), slip="values move, or scores with x_j, but not both"),
        NearMiss(claim=norm_V * 2 * beta, slip="the score of token i does not move with x_i"),
        NearMiss(claim=3 * norm_V * rho, slip="the query bias is dropped"),
    ),
)
