"""L2 attention with tied queries and keys, entry by entry, as published."""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import column_sum_WQ, inverse_root_k, n, row_sum_WQ, row_sum_WV
from ..theorem import Example, NearMiss, Theorem

w = sp.LambertW((n - 1) / sp.E)  # w e^(w+1) = n - 1


def bound(moving: sp.Expr = 4 * w, own: sp.Expr = inverse_root_k) -> sp.Expr:
    return row_sum_WV * column_sum_WQ * row_sum_WQ * (moving + own)


THEOREM = Theorem(
    __name__,
    title="L2 attention on all inputs, largest entry",
    statement="On all inputs of $n$ tokens, L2 attention with tied queries and keys has at most this "
    "Lipschitz constant.",
    kind="upper",
    map="l2 attention",
    norm="linf",
    domain="global",
    expr=bound(),
    source="kim2021",
    hypotheses=(UNMASKED,),
    examples=(
        Example(
            at={n: 64, row_sum_WQ: 1, column_sum_WQ: 2, row_sum_WV: 1, inverse_root_k: 1},
            digits="20.457042224296383695",
        ),
        Example(
            at={n: 2, row_sum_WQ: 3, column_sum_WQ: 1, row_sum_WV: 2, inverse_root_k: 0.5},
            digits="9.6831490262657710826",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(moving=sp.Integer(0)), slip="weights do not move"),
        NearMiss(claim=bound(moving=w), slip="weights move with half of the difference, on one side"),
        NearMiss(claim=bound(own=sp.Integer(0)), slip="the values do not move"),
    ),
)
