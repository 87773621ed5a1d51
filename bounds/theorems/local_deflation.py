"""At a point: some directions are taken out, and what is left is bounded block by block.

Split the outputs into the span of U and its orthogonal complement. There G is a 2 x 2 block operator with norms t and g
on the diagonal and c beside it, and the Schur test with the weights s and 1/s bounds it by the larger of t + s c and
g + c / s. Where g < t the best s makes that t + c^2 / (t - g) at most: the norm itself, to as many digits as the
directions have.
"""

import sympy as sp

from ..notation import deflated_norm, distance
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound by deflation",
    statement="Let $G = M M^\\top$ for a matrix $M$ near the Jacobian of the multi-head map at an input, and $U$ any "
    "set of directions of the outputs. Then the Jacobian has at most this norm.",
    kind="upper",
    map="multi-head softmax",
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
