"""On a ball, measured by the longest token: no token count and no exponential, for every mask."""

import sympy as sp

from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Compact bound for the longest token",
    statement=r"On inputs of any number of tokens of norm at most $R$, one softmax head with any mask or score bias "
    "has at most this Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="max-token",
    domain="ball",
    expr=norm_V * (rho + sp.sqrt(1 + beta**2)),
    source="new",
    examples=(Example(at={R: 2, norm_A: 0.25, norm_a: 0.5, norm_V: 3}, digits="9.7082039324993690892"),),
    near_misses=(
        NearMiss(claim=norm_V * sp.sqrt(1 + beta**2), slip="the score of token i moves with x_i too"),
        NearMiss(claim=norm_V * (rho + sp.sqrt(1 + rho**2)), slip="the query bias is dropped"),
        NearMiss(claim=norm_V * (1 + rho), slip="the weights move with x_i only"),
        NearMiss(claim=norm_V * sp.sqrt(1 + rho**2 + beta**2), slip="adds squares of terms that are not orthogonal"),
    ),
)
