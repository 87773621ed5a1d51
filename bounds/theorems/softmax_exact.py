"""The norm of softmax's derivative itself, as the root of an equation in one number."""

import sympy as sp

from ..notation import softmax_root
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="The norm of softmax at given weights",
    statement="At scores with weights $p_k$, the derivative of softmax has this norm.",
    kind="upper",
    map="softmax function",
    norm="l2",
    domain="point",
    expr=softmax_root,
    source="new",
    examples=(Example(at={softmax_root: 0.25}, digits="0.25"),),
    near_misses=(
        NearMiss(claim=softmax_root**2, slip="the square of it"),
        NearMiss(claim=softmax_root * (1 - softmax_root), slip="the variance of one weight"),
        NearMiss(claim=softmax_root * (1 - sp.Rational(1, 10**6)), slip="hardly less: the root is attained"),
    ),
)
