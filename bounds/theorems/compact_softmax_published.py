"""On a ball: the published bound that grows like sqrt(n), with the query bias carried through its proof.

|(D f)_i|^2 <= 3 |V|^2 (|sum_j P_ij e_j|^2 + |C_i A e_i|^2 + |sum_j P_ij (x_j - m_i) <b_i, e_j>|^2); summed over i the
three terms are at most n, rho^2 and 4 n beta^2 times |E|^2, since |x_j - m_i| <= 2R and R |b_i| <= beta. With a = 0
this is the printed sqrt(3) |V| (|A|^2 R^4 (4n + 1) + n)^(1/2). Rows of P sum to one (or zero) under any mask, and no
more is used.
"""

import sympy as sp

from ..notation import R, beta, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero = sp.Integer(0)


def bound(slope: sp.Expr, tokens: sp.Expr = n, own_score: sp.Expr = rho) -> sp.Expr:
    return sp.sqrt(3) * norm_V * sp.sqrt(own_score**2 + 4 * tokens * slope**2 + tokens)


THEOREM = Theorem(
    __name__,
    title="Published compact bound for softmax attention",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head with any mask or score bias has at most "
    "this Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(beta),
    source="castin2024",
    examples=(
        Example(at={n: 64, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="31.032241298365801409"),
        Example(at={n: 30, R: 2, norm_A: 1, norm_a: 0.5, norm_V: 1}, digits="95.592886764654199348"),
        Example(at={n: 120, R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="156.48242712841592425"),
    ),
    near_misses=(
        NearMiss(claim=bound(rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(beta, tokens=sp.Integer(1)), slip="a column of P sums to one"),
        NearMiss(claim=bound(slope=zero), slip="the weights move with x_i only"),
        NearMiss(claim=bound(slope=zero, own_score=zero), slip="sqrt(3 n), whatever A is"),
        NearMiss(claim=bound(slope=beta / R, own_score=rho / R), slip="R in place of R^2"),
    ),
)
