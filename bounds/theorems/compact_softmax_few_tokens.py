"""On a ball: a constant that grows like sqrt(n) without any exponential, for every mask.

A weight above 1/2 leaves little variance in its row, |C_i| <= 4 p (1 - p) R^2, so that p (1 + beta^2 |C_i| / R^2) is
never above kappa, about 2/3 + 16 beta^2 / 27. The score of token i moves with x_i too; the cross term of the two is
small because one or two moved tokens cannot be every row's own token.
"""

import sympy as sp

from ..notation import R, beta, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero, one = sp.Integer(0), sp.Integer(1)


def largest_share(slope: sp.Expr) -> sp.Expr:
    """Above p (1 + 4 slope^2 p (1 - p)) for every p between 0 and 1."""
    square = slope**2
    return (45 + 16 * square + sp.sqrt((16 * square - 9) ** 2 + 324 * square / (3 * square + 2))) / 54


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
        Example(at={n: 64, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="9.4932329543853990266"),
        Example(at={n: 30, R: 2, norm_A: 1, norm_a: 0.5, norm_V: 1}, digits="23.202035932682845106"),
        Example(at={n: 120, R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="38.528744795851386873"),
    ),
    near_misses=(
        NearMiss(claim=bound(slope=rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(tokens=one), slip="a column of P sums to one"),
        NearMiss(claim=bound(slope=zero), slip="the weights move with x_i only"),
        NearMiss(claim=bound(slope=zero, own_score=zero), slip="sqrt(n), whatever A is"),
    ),
)
