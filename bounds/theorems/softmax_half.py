"""Softmax itself: one half, in every l_p, and not one or a quarter."""

import sympy as sp

from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Softmax is half-Lipschitz",
    statement=r"Softmax of any number of scores has at most this Lipschitz constant in "
    r"every $\ell_p$; two equal scores attain it.",
    kind="upper",
    map="softmax function",
    norm="lp",
    domain="global",
    expr=sp.Rational(1, 2),
    source="nair2025",
    examples=(Example(at={}, digits="0.5"),),
    near_misses=(
        NearMiss(claim=sp.Rational(1, 4), slip="the largest derivative of one weight in place of a norm"),
        NearMiss(claim=sp.exp(-1), slip="a bound by the entropy"),
    ),
)
