"""On a ball: the limit of the compact bound for many tokens, half the published exponent."""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Mean-field bound",
    statement=r"On inputs of any number of tokens of norm at most $R$, one softmax head has at most this Lipschitz "
    "constant; so has the map of measures on that ball, in the distance $W_2$.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=norm_V * (rho + sp.sqrt(1 + beta**2) * sp.exp(beta)),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="4.8442310281591168249"),
        Example(at={R: 1, norm_A: 0.5, norm_a: 0.5, norm_V: 2}, digits="8.6884620563182336497"),
    ),
    near_misses=(
        NearMiss(claim=norm_V * (rho + sp.sqrt(1 + rho**2) * sp.exp(rho)), slip="the query bias is dropped"),
        NearMiss(claim=norm_V * (rho + sp.sqrt(1 + beta**2) * sp.exp(beta / 2)), slip="half the exponent"),
        NearMiss(claim=norm_V * (rho + sp.sqrt(1 + beta**2)), slip="no weight exceeds 1/n"),
        NearMiss(claim=norm_V * (rho + sp.exp(beta)), slip="the weights move with x_i only"),
    ),
)
