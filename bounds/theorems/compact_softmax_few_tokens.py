"""On a ball: a constant that grows like sqrt(n) without any exponential, for every mask.

The outputs of one row move by at most kappa = (1 + (beta + 1 / (4 beta))^2) / 2 times the moves of the two tokens that
move most, squared: two tokens of weight near 1/2 at opposite ends, and no distribution of the weights does more. The
score of token i moves with x_i too; the cross term of the two is small because one or two moved tokens cannot be every
row's own token.
"""

import sympy as sp

from ..notation import R, beta, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero, one = sp.Integer(0), sp.Integer(1)


def largest_share(slope: sp.Expr) -> sp.Expr:
    """The largest (1 + (u + slope (1 - u^2))^2) / 2 for u between 0 and 1."""
    steep = sp.Max(slope, sp.Rational(1, 2))
    return (1 + (steep + 1 / (4 * steep)) ** 2) / 2


def bound(slope: sp.Expr = beta, own_score: sp.Expr = rho, tokens: sp.Expr = n) -> sp.Expr:
    kappa = largest_share(slope)
    together = tokens * kappa + 2 * own_score * sp.sqrt(2 * kappa)
    apart = 2 * own_score * (tokens - 1) * sp.sqrt(kappa / tokens)
    return norm_V * sp.sqrt(own_score**2 + (together + sp.sqrt(together**2 + apart**2)) / 2)


THEOREM = Theorem(
    __name__,
    title="Compact bound for softmax attention on few tokens",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head with any mask or score bias has at most "
    "this Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(),
    source="new",
    examples=(
        Example(at={n: 64, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="9.334032079075029360"),
        Example(at={n: 30, R: 2, norm_A: 1, norm_a: 0.5, norm_V: 1}, digits="21.63042330645113555"),
        Example(at={n: 120, R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="36.63709868826424322"),
    ),
    near_misses=(
        NearMiss(claim=bound(slope=rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(tokens=one), slip="a column of P sums to one"),
        NearMiss(claim=bound(slope=zero), slip="the weights move with x_i only"),
        NearMiss(claim=bound(slope=zero, own_score=zero), slip="sqrt(n), whatever A is"),
    ),
)
