"""At a point: attention with its residual connection and its normalisation as one map, by deflation.

The Jacobian is L (I + J R): R and L have one block a token, the Jacobian of the normalisation before the attention and
of the one after the sum, or the identity. Bounding the three factors one by one would lose what they cancel; deflation
takes their product as it is.
"""

import sympy as sp

from ..notation import deflated_norm, distance
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound of an attention sublayer by deflation",
    statement="Let $G = M M^\\top$ for a matrix $M$ near the Jacobian of the sublayer at an input, and $U$ any set of "
    "directions of the outputs. Then the Jacobian has at most this norm.",
    kind="upper",
    map="attention sublayer",
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
