"""Two linear maps with an activation between them, token by token."""

import sympy as sp

from ..notation import norm_W1, norm_W2, slope
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Two-layer perceptron",
    statement="The perceptron has at most this Lipschitz constant.",
    kind="upper",
    map="mlp",
    norm="l2",
    domain="global",
    expr=slope * norm_W1 * norm_W2,
    source="new",
    examples=(Example(at={slope: 1.25, norm_W1: 2, norm_W2: 3}, digits="7.5"),),
    near_misses=(
        NearMiss(claim=norm_W1 * norm_W2, slip="the activation is taken for a contraction"),
        NearMiss(claim=slope * norm_W1, slip="the second map is forgotten"),
        NearMiss(claim=slope * sp.Max(norm_W1, norm_W2), slip="the larger map in place of the product"),
    ),
)
