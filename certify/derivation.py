"""One theorem applied to one head or layer: hypotheses checked, symbols enclosed, the bound concluded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import bounds
from bounds.hypotheses import OVERLAP

from .attention_layer import Array, AttentionLayer
from .enclose import enclose
from .errors import NoEnclosure
from .explicit.written_out import WrittenOut
from .hypotheses import unmet
from .method import DomainKind, Enclosed, Value
from .outcome import Bound, Guarantee, NoBound
from .sublayer.sublayer import Sublayer


@dataclass(frozen=True)
class Derived:
    """What a theorem gave, and from which numbers: enough to write a certificate's step."""

    theorem: str
    domain: DomainKind
    inputs: Mapping[str, Value]
    bound: Bound | NoBound
    hints: Mapping[str, Array] = field(default_factory=dict)
    cites: Sequence[str] = ()  # ids of the steps whose claims stand in the input L


def derive(
    theorem_id: str,
    domain: DomainKind,
    layer: AttentionLayer | Sublayer | WrittenOut,
    enclosed: Callable[[], Enclosed],
    cites: Sequence[str] = (),
) -> Derived:
    """The theorem's upper end over the enclosed symbols, or no bound with the reason.

    `proved` rests on: the theorem's hypotheses checked on the layer, every symbol enclosed, the expression evaluated in
    ball arithmetic and rounded up. A theorem about random numbers gives `probable`, and never more.
    """
    theorem = bounds.theorem(theorem_id)
    reason = unmet(theorem, layer)
    if reason is not None:
        return Derived(theorem_id, domain, {}, NoBound("upper", theorem_id, reason))
    try:
        names = {str(symbol): symbol for symbol in theorem.symbols}
        found = enclosed()
        inputs = {name: value for name, value in found.values.items() if name in names}
        value = enclose(theorem.expr, {names[name]: value for name, value in inputs.items()}).upper
    except NoEnclosure as error:
        return Derived(theorem_id, domain, {}, NoBound("upper", theorem_id, str(error)))
    guarantee = Guarantee.PROBABLE if OVERLAP in theorem.hypotheses else Guarantee.PROVED
    bound = Bound(max(value, 0.0), "upper", guarantee, theorem_id, theorem_id)
    return Derived(theorem_id, domain, inputs, bound, found.hints, cites)
