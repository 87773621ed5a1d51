"""SiLU, entry by entry."""

from ..letters import d, e, u, x
from ..scalar_functions import SILU
from ..variant import Variant

the_map, closed_form = SILU.entrywise()

VARIANT = Variant(
    __name__,
    title="SiLU",
    statement=r"Entry by entry, $x / (1 + e^{-x})$.",
    map=the_map,
    closed_form=closed_form,
    inputs={x: e},
    output={u: d},
)
