"""A classifier's last layer with its softmax."""

from ..notation import norm_W
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Softmax behind a linear map",
    statement="The map from features to probabilities has at most this Lipschitz constant.",
    kind="upper",
    map="softmax head",
    norm="l2",
    domain="global",
    expr=norm_W / 2,
    source="new",
    examples=(Example(at={norm_W: 3}, digits="1.5"),),
    near_misses=(NearMiss(claim=norm_W / 4, slip="the largest derivative of one weight in place of a norm"),),
)
