"""The whole layer as a sum of heads: each with its slice of the output projection folded into its value map.

The Jacobian of the layer is the sum of the heads' Jacobians, and the triangle inequality does the rest. Nothing better
holds for all layers: two equal heads add up exactly.
"""

from typing import Any

import sympy as sp

from ..notation import H, L, h
from ..theorem import Example, NearMiss, Theorem

total: Any = sp.Sum(L[h], (h, 1, H))

THEOREM = Theorem(
    __name__,
    title="Heads added up",
    statement="If on one set of inputs head $h$, with $W_O^h V^h$ as its value map, has the bound $L_h$, then on "
    "that set the multi-head map has at most this constant.",
    kind="upper",
    map="multi-head softmax",
    norm="l2",
    domain="any",
    expr=total,
    source="new",
    examples=(Example(at={H: 2, L: (3, 4)}, digits="7.0"),),
    near_misses=(
        NearMiss(claim=sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H))), slip="adds squares of maps with a common range"),
        NearMiss(claim=total / sp.sqrt(H), slip="treats the heads as orthogonal and equal"),
    ),
)
