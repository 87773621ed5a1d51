"""ReLU."""

import sympy as sp

from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="ReLU",
    statement="ReLU has this Lipschitz constant.",
    kind="upper",
    map="relu",
    norm="l2",
    domain="global",
    expr=sp.Integer(1),
    source="new",
    examples=(Example(at={}, digits="1"),),
    near_misses=(NearMiss(claim=sp.Rational(1, 2), slip="half of the inputs do not pass"),),
)
