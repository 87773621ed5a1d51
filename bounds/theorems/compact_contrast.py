"""On a ball, for any number of tokens: what counts is not how much scores differ, but how much one token can stand out.

A token z stands out from a crowd of average m, which its own rows belong to, by <A m + a, z - m>. Two scores of a row
may differ by twice beta; chi is that much only if A has an eigenvalue -|A|, and a quarter of it for a positive A.
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, beta, contrast, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem


def bound(exponent: sp.Expr, slope: sp.Expr = beta, own_score: sp.Expr = rho) -> sp.Expr:
    return norm_V * (own_score + sp.sqrt(1 + slope**2) * sp.exp(exponent))


THEOREM = Theorem(
    __name__,
    title="Compact bound by the contrast of the scores",
    statement="On inputs of any number of tokens of norm at most $R$, one softmax head has at most this Lipschitz "
    "constant, and so has its map of measures in the distance $W_2$.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(contrast / 2),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={R: 1, norm_A: 1, norm_a: 0, norm_V: 1, contrast: 2}, digits="4.8442310281591168249"),
        Example(at={R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2, contrast: 2.5}, digits="17.109288235344668295"),
    ),
    near_misses=(
        NearMiss(claim=bound(contrast / 4), slip="half the exponent"),
        NearMiss(claim=bound(contrast / 2, slope=sp.Integer(0)), slip="the weights move with x_i only"),
        NearMiss(claim=bound(contrast / 2, slope=rho), slip="the query bias is dropped"),
    ),
)
