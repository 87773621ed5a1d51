"""The whole layer from its heads: |W_O [o^1; ...; o^H]| <= |W_O| (sum_h |o^h|^2)^(1/2), head by head."""

import sympy as sp

from ..hypotheses import SQUARE_OUTPUT
from ..notation import H, L, h, norm_WO
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Heads joined by the output projection",
    statement="If head $h$ has the bound $L_h$ before the output projection, the multi-head map has at most this constant.",
    kind="upper",
    attention="multi-head softmax",
    norm="l2",
    domain="any",
    expr=norm_WO * sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H))),
    source="new",
    hypotheses=(SQUARE_OUTPUT,),
    examples=(Example(at={norm_WO: 2, H: 2, L: (3, 4)}, digits="10.0"),),
    near_misses=(NearMiss(claim=norm_WO * L[1], slip="counts one head only"),),
)
