"""On a ball: the published bound without a token count, with the query bias carried.

It holds in W_2 on measures on the ball, hence for every n. It lies above the compact bound's limit
rho + sqrt(1 + beta^2) e^beta, since beta >= rho and sqrt(1 + beta^2) <= 1 + 2 beta; with a = 0 it is the printed
|V| (1 + 3 rho) e^(2 rho).
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem


def bound(spread: sp.Expr, slope: sp.Expr = beta) -> sp.Expr:
    return norm_V * (1 + rho + 2 * slope) * sp.exp(spread)


THEOREM = Theorem(
    __name__,
    title="Published mean-field bound for softmax attention",
    statement="On inputs of any number of tokens of norm at most $R$, one softmax head has at most this Lipschitz "
    "constant; so has the map of measures on that ball, in the distance $W_2$.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * beta),
    source="castin2024",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="29.556224395722600909"),
        Example(at={R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="627.8787253811587494"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=2 * rho, slope=rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(spread=sp.Integer(0)), slip="no weight exceeds 1/n"),
        NearMiss(claim=bound(spread=beta / 2), slip="a quarter of the exponent"),
    ),
)
