"""On a ball, under a mask: how many tokens a row sees, and how many rows see a token."""

import sympy as sp

from ..hypotheses import MASK_ONLY
from ..notation import R, beta, inverse_fewest, most, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem


def bound(spread: sp.Expr, slope: sp.Expr = beta, rows: sp.Expr = most) -> sp.Expr:
    weight = inverse_fewest / (inverse_fewest + (1 - inverse_fewest) * sp.exp(-spread))
    return norm_V * (rho + sp.sqrt(1 + slope**2) * sp.sqrt(rows * weight))


THEOREM = Theorem(
    __name__,
    title="Compact bound for a sliding window or any mask",
    statement=r"On inputs of tokens of norm at most $R$, where every row sees at least $w$ tokens and every token is "
    r"seen by at most $u$ rows, one masked softmax head has at most this Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * beta),
    source="new",
    hypotheses=(MASK_ONLY,),
    examples=(
        Example(
            at={R: 1, norm_A: 0.5, norm_a: 0, norm_V: 1, inverse_fewest: 0.125, most: 8}, digits="2.1724475100180646899"
        ),
        Example(
            at={R: 1, norm_A: 0.5, norm_a: 0.5, norm_V: 1, inverse_fewest: 0.125, most: 16},
            digits="4.553715991227281335",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=beta), slip="half the exponent"),
        NearMiss(claim=bound(spread=2 * beta, slope=sp.Integer(0)), slip="the weights move with x_i only"),
        NearMiss(
            claim=bound(spread=2 * beta, rows=1 / inverse_fewest),
            slip="no token is seen by more rows than a row sees tokens",
        ),
        NearMiss(claim=bound(spread=2 * rho, slope=rho), slip="the query bias is dropped"),
    ),
)
