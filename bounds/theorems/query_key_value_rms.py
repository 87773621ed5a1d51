"""Attention of given queries, keys and values with scores over d, in the norms of training with bounded weights."""

import sympy as sp

from ..hypotheses import UNIT_RMS
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Query-key-value attention in RMS norms",
    statement="While no query, key or value has an RMS norm above one, attention moves no output by more than queries, "
    "keys and values move together: it has this Lipschitz constant.",
    kind="upper",
    map="query-key-value attention",
    norm="rms-sum",
    domain="ball",
    expr=sp.Integer(1),
    source="newhouse2025",
    hypotheses=(UNIT_RMS,),
    examples=(Example(at={}, digits="1"),),
    near_misses=(
        NearMiss(claim=sp.Rational(9, 10), slip="a little less"),
        NearMiss(claim=sp.Rational(1, 2), slip="the constant of softmax"),
    ),
)
