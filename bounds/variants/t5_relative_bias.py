"""T5: unscaled scores plus a learned number for each distance (Raffel et al. 2020); buckets are equal numbers."""

import sympy as sp

from ..letters import E, X, d, i, j, letter, n, u
from ..softmax_heads import softmax_attention
from ..variant import Variant

bias = letter("beta", 2 * n - 1)

the_map, closed_form = softmax_attention(weight=sp.exp(bias[j - i + n]), scale=sp.S.One)

VARIANT = Variant(
    __name__,
    title="T5 relative bias",
    statement="Softmax attention without the factor $1 / \\sqrt k$, whose scores have a "
    "learned constant for every distance $j - i$.",
    map=the_map,
    closed_form=closed_form,
    inputs={X: E},
    output={i: n, u: d},
    note="Buckets of distances are equal constants; the biases of the projections are 0 in T5.",
)
