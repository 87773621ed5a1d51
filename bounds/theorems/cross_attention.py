"""Attention from one sequence to another, as a map of both together."""

import sympy as sp

from ..notation import R, R_keys, inverse_fewest, n, norm_A, norm_a, norm_V
from ..theorem import Example, NearMiss, Theorem

beta = R_keys * (R * norm_A + norm_a)  # every score lies in [-beta, beta]
own_score = R_keys**2 * norm_A


def bound(spread: sp.Expr, slope: sp.Expr = beta, queries: sp.Expr = own_score) -> sp.Expr:
    largest_weight = inverse_fewest / (inverse_fewest + (1 - inverse_fewest) * sp.exp(-spread))
    return norm_V * sp.sqrt(queries**2 + (1 + slope**2) * n * largest_weight)


THEOREM = Theorem(
    __name__,
    title="Compact bound for cross-attention",
    statement=r"On $n$ tokens $x_i$ of norm at most $R$ and at least $w$ tokens $y_j$ of norm at most $S$, one head of "
    r"cross-attention has at most this Lipschitz constant in the pair of both.",
    kind="upper",
    map="cross-attention",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * beta),
    source="new",
    examples=(
        Example(
            at={n: 8, R: 1, R_keys: 0.75, norm_A: 1, norm_a: 0.5, norm_V: 2, inverse_fewest: 0.125},
            digits="6.5563077005974689995",
        ),
        Example(
            at={n: 2, R: 1, R_keys: 2, norm_A: 1, norm_a: 0, norm_V: 1, inverse_fewest: 0.5},
            digits="5.0813519756437936032",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=beta), slip="half the spread of the scores"),
        NearMiss(claim=bound(spread=2 * beta, slope=sp.Integer(0)), slip="the scores do not move with the keys"),
        NearMiss(claim=bound(spread=2 * beta, queries=sp.Integer(0)), slip="the queries do not move"),
    ),
)
