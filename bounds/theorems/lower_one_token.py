"""One token moves, and all others follow it with their values."""

import sympy as sp

from ..hypotheses import NO_QUERY_BIAS, UNMASKED
from ..notation import R, gamma_real, n, norm_Vu
from ..theorem import Example, NearMiss, Theorem


def bound(spread: sp.Expr, others: sp.Expr = n - 1) -> sp.Expr:
    return norm_Vu * sp.sqrt(n - 1) / (1 + others * sp.exp(-spread))


THEOREM = Theorem(
    __name__,
    title="Lower bound by one token, as published",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head has at least this Lipschitz constant.",
    kind="lower",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * R**2 * gamma_real),
    source="castin2024",
    hypotheses=(UNMASKED, NO_QUERY_BIAS),
    examples=(
        Example(at={n: 64, R: 1, gamma_real: 2, norm_Vu: 1}, digits="3.6850867209521440340"),
        Example(at={n: 3, R: 2, gamma_real: 0.125, norm_Vu: 2}, digits="1.6295046238959461571"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=4 * R**2 * gamma_real), slip="twice the exponent"),
        NearMiss(claim=bound(spread=2 * R**2 * gamma_real, others=sp.Integer(0)), slip="a weight of one"),
    ),
)
