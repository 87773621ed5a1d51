"""The whole layer from its heads: |W_O [o^1; ...; o^H]| <= |W_O| (sum_h |o^h|^2)^(1/2), head by head.

The output projection is linear and acts on each token alone, so its norm on all tokens together is |W_O|.
"""

import sympy as sp

from ..hypotheses import OUTPUT_PROJECTION
from ..notation import H, L, h, norm_WO
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Heads joined by the output projection",
    statement="If on one set of inputs head $h$ has the bound $L_h$ before the output projection, then on that set the "
    "multi-head map has at most this constant.",
    kind="upper",
    map="multi-head softmax",
    norm="l2",
    domain="any",
    expr=norm_WO * sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H))),
    source="new",
    hypotheses=(OUTPUT_PROJECTION,),
    examples=(Example(at={norm_WO: 2, H: 2, L: (3, 4)}, digits="10.0"),),
    near_misses=(
        NearMiss(claim=norm_WO * L[1], slip="counts one head only"),
        NearMiss(claim=sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H))), slip="the output projection is forgotten"),
        NearMiss(claim=norm_WO * sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H)) / H), slip="the mean in place of the sum"),
    ),
)
