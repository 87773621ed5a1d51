"""A cluster of tokens moves, and all others follow it with their values and with their weights."""

import sympy as sp

from ..hypotheses import NO_QUERY_BIAS, UNMASKED
from ..notation import R, cluster, gamma_real, n, norm_Vu
from ..theorem import Example, NearMiss, Theorem


def bound(spread: sp.Expr, weights: sp.Expr | None = None) -> sp.Expr:
    p = cluster / (cluster + (n - cluster) * sp.exp(-spread))
    moving = (1 - p) * spread if weights is None else weights
    return norm_Vu * sp.sqrt((n - cluster) / cluster) * p * (1 + moving)


THEOREM = Theorem(
    __name__,
    title="Lower bound by a cluster of tokens",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head has at least this Lipschitz constant, "
    "whatever the number $k$ of tokens from $1$ to $n - 1$.",
    kind="lower",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * R**2 * gamma_real),
    source="new",
    hypotheses=(UNMASKED, NO_QUERY_BIAS),
    examples=(
        Example(at={n: 64, R: 1, gamma_real: 2, norm_Vu: 1, cluster: 2}, digits="8.6959585754000357828"),
        Example(at={n: 3, R: 2, gamma_real: 0.125, norm_Vu: 2, cluster: 1}, digits="2.3202241201614457984"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=4 * R**2 * gamma_real), slip="twice the exponent"),
        NearMiss(
            claim=bound(spread=2 * R**2 * gamma_real, weights=4 * R**2 * gamma_real),
            slip="both the cluster's weight and what it leaves are one",
        ),
    ),
)
