"""Attention of normalised queries, keys and values, as published: linear in the number of tokens."""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import inverse_root_eps, n, norm_WK, norm_WQ, norm_WV, nu, tau
from ..theorem import Example, NearMiss, Theorem


def bound(eps: sp.Expr = inverse_root_eps, scale: sp.Expr = nu) -> sp.Expr:
    moving = 2 * (n - 1) * tau * (n * norm_WK + norm_WQ)
    return scale * eps * (moving + 2 * n * norm_WV)


THEOREM = Theorem(
    __name__,
    title="Cosine attention on all inputs, as published",
    statement="On all inputs of $n$ tokens, cosine attention has at most this Lipschitz constant.",
    kind="upper",
    map="cosine attention",
    norm="l2",
    domain="global",
    expr=bound(),
    source="qi2023",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={n: 64, tau: 1, nu: 1, norm_WQ: 1, norm_WK: 1, norm_WV: 1, inverse_root_eps: 8}, digits="66544"),
    ),
    near_misses=(
        NearMiss(claim=bound(eps=sp.Integer(1)), slip="normalising stretches nothing"),
        NearMiss(claim=bound(scale=nu / n**2), slip="rows and columns average"),
        NearMiss(claim=2 * n * nu * inverse_root_eps * norm_WV, slip="weights do not move"),
    ),
)
