"""GELU: the derivative overshoots one, by an eighth and not by a tenth."""

import sympy as sp

from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="GELU",
    statement=r"GELU with the exact normal distribution function has at most this Lipschitz "
    r"constant, $1.12890\dots$, attained at $\sqrt 2$.",
    kind="upper",
    map="gelu",
    norm="l2",
    domain="global",
    expr=(1 + sp.erf(1)) / 2 + sp.exp(-1) / sp.sqrt(sp.pi),
    source="new",
    examples=(Example(at={}, digits="1.128904145185154786341"),),
    near_misses=(
        NearMiss(claim=sp.Rational(112, 100), slip="rounded down, as printed in code"),
        NearMiss(claim=sp.Integer(1), slip="the activation lies below the identity"),
    ),
)
