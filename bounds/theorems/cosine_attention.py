"""Attention of normalised queries, keys and values: no radius, since every normalised vector is shorter than one."""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import inverse_root_eps, n, norm_WK, norm_WQ, norm_WV, nu, tau
from ..theorem import Example, NearMiss, Theorem


def bound(spread: sp.Expr, queries: sp.Expr = tau * norm_WQ, keys: sp.Expr = tau * norm_WK) -> sp.Expr:
    columns = sp.sqrt(n / (1 + (n - 1) * sp.exp(-spread)))
    return nu * inverse_root_eps * (queries + (keys + norm_WV) * columns)


THEOREM = Theorem(
    __name__,
    title="Cosine attention on all inputs",
    statement="On all inputs of $n$ tokens, cosine attention has at most this Lipschitz constant.",
    kind="upper",
    map="cosine attention",
    norm="l2",
    domain="global",
    expr=bound(spread=2 * tau),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(
            at={n: 64, tau: 1, nu: 1, norm_WQ: 1, norm_WK: 1, norm_WV: 1, inverse_root_eps: 8},
            digits="49.471704065985627670",
        ),
        Example(
            at={n: 3, tau: 0.5, nu: 2, norm_WQ: 3, norm_WK: 1, norm_WV: 0.5, inverse_root_eps: 1},
            digits="5.6293350142554959933",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=tau), slip="half the spread of the scores"),
        NearMiss(claim=bound(spread=2 * tau, queries=sp.Integer(0)), slip="the queries do not move"),
        NearMiss(claim=bound(spread=2 * tau, keys=sp.Integer(0)), slip="the keys do not move"),
        NearMiss(claim=bound(spread=2 * tau) / inverse_root_eps, slip="normalising stretches nothing"),
    ),
)
