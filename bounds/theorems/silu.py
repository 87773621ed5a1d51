"""SiLU: with the turning point as a number that is checked by one inequality."""

import sympy as sp

from ..notation import turning
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="SiLU",
    statement=r"SiLU has at most this Lipschitz constant; the least $y$ gives $1.09983\dots$, "
    r"which is attained at $2y$.",
    kind="upper",
    map="silu",
    norm="l2",
    domain="global",
    expr=(1 + turning) / 2,
    source="new",
    examples=(Example(at={turning: 1.25}, digits="1.125"),),
    near_misses=(
        NearMiss(claim=sp.Rational(1099, 1000), slip="rounded down"),
        NearMiss(claim=sp.Integer(1), slip="the activation lies below the identity"),
        NearMiss(claim=turning / 2, slip="the value of the sigmoid is forgotten"),
    ),
)
