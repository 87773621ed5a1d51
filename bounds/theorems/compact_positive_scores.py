"""On a ball, for a symmetric positive A: an eighth of the exponent, as in the lower bound.

Tokens that attract themselves leave less to the one that stands out: chi is R^2 |A| / 4.
"""

import sympy as sp

from ..hypotheses import POSITIVE_SCORES, UNMASKED
from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem


def bound(bias: sp.Expr = R * norm_a, slope: sp.Expr = beta) -> sp.Expr:
    return norm_V * (rho + sp.sqrt(1 + slope**2) * sp.exp(rho / 8 + bias))


THEOREM = Theorem(
    __name__,
    title="Compact bound for positive scores",
    statement="On inputs of any number of tokens of norm at most $R$, one softmax head has at most this Lipschitz "
    "constant, and so has its map of measures in the distance $W_2$.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(),
    source="new",
    hypotheses=(UNMASKED, POSITIVE_SCORES),
    examples=(
        Example(at={R: 1, norm_A: 8, norm_a: 0, norm_V: 1}, digits="29.915488733553086444"),
        Example(at={R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="18.643449319660814365"),
    ),
    near_misses=(
        NearMiss(claim=bound(bias=R * norm_a / 2), slip="half the bias"),
        NearMiss(claim=bound(slope=sp.Integer(0)), slip="the weights move with x_i only"),
        NearMiss(claim=norm_V * sp.exp(R * norm_a), slip="positive scores amplify nothing"),
    ),
)
