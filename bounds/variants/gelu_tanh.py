"""GELU by the hyperbolic tangent, entry by entry."""

from ..letters import d, e, u, x
from ..scalar_functions import GELU_TANH
from ..variant import Variant

the_map, closed_form = GELU_TANH.entrywise()

VARIANT = Variant(
    __name__,
    title="GELU by the hyperbolic tangent",
    statement=r"Entry by entry, the usual approximation of GELU by a hyperbolic tangent.",
    map=the_map,
    closed_form=closed_form,
    inputs={x: e},
    output={u: d},
)
