"""At a point: some directions are taken out, and what is left is bounded block by block.

Split the outputs into the span of U and its orthogonal complement. There G is a 2 x 2 block operator with norms at most
`deflated_top` and `remainder` on the diagonal and `coupling` beside it, so its largest eigenvalue is at most that of
the 2 x 2 matrix of the norms. Where the remainder is below the top, the bound exceeds the truth by about
coupling^2 / (top - remainder): it is the norm itself, to as many digits as the directions have.
"""

import sympy as sp

from ..notation import coupling, deflated_top, distance, remainder
from ..theorem import Example, NearMiss, Theorem

mean, half_gap = (deflated_top + remainder) / 2, (deflated_top - remainder) / 2

THEOREM = Theorem(
    __name__,
    title="Local bound by deflation",
    statement="Let $G = M M^\\top$ for a matrix $M$ near the Jacobian of the multi-head map at an input, and $U$ any "
    "set of directions of the outputs. Then the Jacobian has at most this norm.",
    kind="upper",
    attention="multi-head softmax",
    norm="l2",
    domain="point",
    expr=distance + sp.sqrt(mean + sp.sqrt(half_gap**2 + coupling**2)),
    source="new",
    examples=(
        Example(at={deflated_top: 5, remainder: 2, coupling: 2, distance: 0.5}, digits="2.9494897427831780982"),
        Example(at={deflated_top: 1, remainder: 4, coupling: 0, distance: 0}, digits="2.0"),
    ),
    near_misses=(
        NearMiss(claim=distance + sp.sqrt(deflated_top), slip="the leading directions are all there is"),
        NearMiss(claim=sp.sqrt(mean + sp.sqrt(half_gap**2 + coupling**2)), slip="the distance is forgotten"),
        NearMiss(claim=distance + sp.sqrt(mean + half_gap), slip="the directions are taken for exact"),
    ),
)
