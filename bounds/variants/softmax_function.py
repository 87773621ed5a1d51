"""The softmax function of a vector."""

from ..letters import d, e, u, x
from ..softmax_of_vector import softmax_of, softmax_of_moved
from ..variant import Variant

VARIANT = Variant(
    __name__,
    title="Softmax function",
    statement="A vector of scores is sent to its softmax.",
    map=softmax_of(x, d),
    closed_form=softmax_of_moved(e, d),
    inputs={x: e},
    output={u: d},
)
