"""At a point: the norm of the attention weights plus the norm of the softmax Jacobian, row by row.

With J_i = diag(P_i) - P_i P_i^T, row i of the Jacobian is V (sum_j P_ij e_j + X^T J_i (X A e_i + E b_i)), and
|J_i| <= p_(1) (1 - p_(1) + p_(2)) by the secular equation of J_i. The rows E b_i together are E B^T, of norm at most
|E| |B|. Without a query bias |B| <= |X| |A|, which is the printed form; the term in |B| carries the bias.
"""

import sympy as sp

from ..notation import norm_A, norm_B, norm_P, norm_V, norm_X, softmax_sensitivity
from ..theorem import Example, NearMiss, Theorem

quarter = sp.Rational(1, 4)


def bound(score_change: sp.Expr, weights: sp.Expr = norm_P, sensitivity: sp.Expr = softmax_sensitivity) -> sp.Expr:
    return norm_V * (weights + norm_X * sensitivity * score_change)


THEOREM = Theorem(
    __name__,
    title="Local bound by the softmax Jacobian",
    statement="At every input, one softmax head with any mask or score bias has a Jacobian of at most this norm.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="point",
    expr=bound(norm_X * norm_A + norm_B),
    source="yudin2025",
    examples=(
        Example(
            at={norm_V: 2, norm_P: 1.5, norm_X: 3, norm_A: 0.5, norm_B: 2.25, softmax_sensitivity: 0.5},
            digits="14.25",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(norm_X * norm_A), slip="moves x_i in its own scores only"),
        NearMiss(claim=bound(2 * norm_X * norm_A), slip="the query bias is dropped"),
        NearMiss(claim=norm_V * norm_P, slip="keeps the attention weights fixed"),
        NearMiss(claim=bound(norm_X * norm_A + norm_B, weights=sp.Integer(1)), slip="takes |P| for one"),
        NearMiss(claim=bound(norm_X * norm_A + norm_B, sensitivity=quarter), slip="softmax is 1/4-Lipschitz"),
    ),
)
