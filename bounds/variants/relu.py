"""ReLU, entry by entry."""

from ..letters import d, e, u, x
from ..scalar_functions import RELU
from ..variant import Variant

the_map, closed_form = RELU.entrywise()

VARIANT = Variant(
    __name__,
    title="ReLU",
    statement=r"Entry by entry, $\max(x, 0)$.",
    map=the_map,
    closed_form=closed_form,
    inputs={x: e},
    output={u: d},
    hypotheses=("no entry of $x$ is 0",),
)
