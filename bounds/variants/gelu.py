"""GELU, entry by entry."""

from ..letters import d, e, u, x
from ..scalar_functions import GELU
from ..variant import Variant

the_map, closed_form = GELU.entrywise()

VARIANT = Variant(
    __name__,
    title="GELU",
    statement=r"Entry by entry, $x \Phi(x)$ with the normal distribution function $\Phi$.",
    map=the_map,
    closed_form=closed_form,
    inputs={x: e},
    output={u: d},
)
