"""At a point, for any map whose Jacobian is written out as one matrix: deflation needs no other form of it.

Rotary positions give every pair of tokens its own score matrix, and cross-attention reads two sets of tokens; neither
has Gram blocks of a common form, but both have a Jacobian.
"""

import sympy as sp

from ..notation import deflated_norm, distance
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound of any map by deflation",
    statement="Let $G = M M^\\top$ for a matrix $M$ near the Jacobian of a differentiable map at an input, and $U$ any "
    "set of directions of the outputs. Then the Jacobian has at most this norm.",
    kind="upper",
    map="differentiable map",
    norm="l2",
    domain="point",
    expr=distance + sp.sqrt(deflated_norm),
    source="new",
    examples=(Example(at={deflated_norm: 6, distance: 0.5}, digits="2.9494897427831780982"),),
    near_misses=(
        NearMiss(claim=sp.sqrt(deflated_norm), slip="the distance is forgotten"),
        NearMiss(claim=distance + deflated_norm ** sp.Rational(1, 4), slip="takes the root twice"),
    ),
)
