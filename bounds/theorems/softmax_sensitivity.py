"""Softmax at given weights: less than one half as soon as one weight is large or all are small."""

from ..notation import softmax_sensitivity
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Softmax at given weights",
    statement="At every input the Jacobian of softmax has at most this norm, with equality for two weights.",
    kind="upper",
    map="softmax function",
    norm="l2",
    domain="point",
    expr=softmax_sensitivity,
    source="yudin2025",
    examples=(Example(at={softmax_sensitivity: 0.375}, digits="0.375"),),
    near_misses=(
        NearMiss(claim=softmax_sensitivity / 2, slip="the derivative of one weight only"),
        NearMiss(claim=softmax_sensitivity**2, slip="the variance of the weights"),
    ),
)
