"""Every closed form on a ball that applies to given norms, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import bounds
from bounds.hypotheses import CAUSAL, POSITIVE_SCORES, UNMASKED
from bounds.proof_status import is_proved
from bounds.theorem import Theorem

from .enclose import enclose
from .errors import NoEnclosure
from .outcome import Bound, Guarantee, NoBound


@dataclass(frozen=True)
class ClosedForm:
    """A theorem and what it gives."""

    theorem: Theorem
    bound: Bound | NoBound


def closed_forms(values: Mapping[str, int | Fraction], *, causal: bool, positive: bool = False) -> list[ClosedForm]:
    """Lipschitz constants (l2 to l2) of one softmax head on tokens in a ball, tightest first, those without bound last.

    `values` gives n, R, norm_A, norm_a and norm_V, exactly, and may give more of a theorem's symbols, such as contrast;
    a theorem with another symbol is left out. Proved: each theorem's hypotheses hold for the mask named and, with
    `positive`, for a symmetric positive semidefinite A; its proof has no open step, and its expression is enclosed and
    rounded up.
    """
    met = {CAUSAL if causal else UNMASKED, *((POSITIVE_SCORES,) if positive else ())}
    found = [
        ClosedForm(theorem, _bound(theorem, values))
        for theorem in bounds.theorems()
        if (theorem.domain, theorem.map, theorem.norm, theorem.kind) == ("ball", "softmax", "l2", "upper")
        and met.issuperset(theorem.hypotheses)
        and all(str(symbol) in values for symbol in theorem.symbols)
    ]
    return sorted(found, key=lambda form: form.bound.value if isinstance(form.bound, Bound) else float("inf"))


def _bound(theorem: Theorem, values: Mapping[str, int | Fraction]) -> Bound | NoBound:
    if not is_proved(theorem):
        return NoBound("upper", theorem.id, "its proof has an open step")
    try:
        environment = {symbol: values[str(symbol)] for symbol in theorem.symbols}
        value = enclose(theorem.expr, environment).upper
    except NoEnclosure as error:
        return NoBound("upper", theorem.id, str(error))
    return Bound(max(value, 0.0), "upper", Guarantee.PROVED, theorem.id, theorem.id)
