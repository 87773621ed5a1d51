"""On a ball: one closed form for few tokens and for many.

Every score lies in [-beta, beta], so no weight exceeds 1 / (1 + (n-1) exp(-2 beta)); with that, and
|C_i| <= R^2, the local bound becomes a bound on the ball, which is convex. As n grows it tends to
|V| (rho + sqrt(1 + beta^2) e^beta): the mean-field bound.
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, beta, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero = sp.Integer(0)


def bound(spread: sp.Expr, slope: sp.Expr = beta, own_score: sp.Expr = rho) -> sp.Expr:
    largest_weight = 1 / (1 + (n - 1) * sp.exp(-spread))
    return norm_V * (own_score + sp.sqrt(1 + slope**2) * sp.sqrt(n * largest_weight))


THEOREM = Theorem(
    __name__,
    title="Compact bound for softmax attention",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head has at most this Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * beta),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={n: 64, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="4.6656153965525190625"),
        Example(at={n: 120, R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="28.97400913306857642"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=beta), slip="half the spread of the scores"),
        NearMiss(claim=bound(spread=2 * rho, slope=rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(spread=2 * rho), slip="the query bias is dropped from the spread of the scores"),
        NearMiss(claim=bound(spread=2 * beta, slope=zero), slip="the weights move with x_i only"),
        NearMiss(claim=bound(spread=2 * beta, own_score=zero), slip="the score of token i moves with x_i too"),
        NearMiss(claim=norm_V * sp.sqrt(n), slip="sqrt(n), whatever A is"),
    ),
)
