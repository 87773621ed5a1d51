"""What is true about the Lipschitz constant of attention, in symbols; imports SymPy and nothing heavier.

`bounds.theorem`, `theorems`, `variant` and `variants` are the functions below. The submodules of the same names are
loaded first, so that they cannot take the names back; `from bounds.theorem import Theorem` still reaches the module.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

from .errors import (
    EvaluationError,
    NotDifferentiable,
    TheoremDataError,
    UnknownSymbol,
    UnknownTheorem,
    UnknownVariant,
    VariantDataError,
)
from .latex import bibtex
from .theorem import Example, NearMiss, Theorem
from .theorems import shelf
from .variant import Variant
from .variants import shelf as variant_shelf

__all__ = [
    "EvaluationError",
    "Example",
    "NearMiss",
    "NotDifferentiable",
    "Theorem",
    "TheoremDataError",
    "UnknownSymbol",
    "UnknownTheorem",
    "UnknownVariant",
    "Variant",
    "VariantDataError",
    "bibtex",
    "theorem",
    "theorems",
    "variant",
    "variants",
]

T = TypeVar("T")


def theorems() -> tuple[Theorem, ...]:
    """Every theorem on the shelf, in the order of ids."""
    return tuple(shelf().values())


def theorem(theorem_id: str) -> Theorem:
    """The theorem of that id.

    Raises UnknownTheorem, naming the nearest ids, when there is none.
    """
    return _named(theorem_id, shelf(), "theorem", UnknownTheorem)


def variants() -> tuple[Variant, ...]:
    """Every attention variant on its shelf, in the order of ids; the shelf is read at the first call."""
    return tuple(variant_shelf().values())


def variant(variant_id: str) -> Variant:
    """The attention variant of that id.

    Raises UnknownVariant, naming the nearest ids, when there is none.
    """
    return _named(variant_id, variant_shelf(), "variant", UnknownVariant)


def _named(wanted: str, known: Mapping[str, T], kind: str, error: type[LookupError]) -> T:
    if wanted not in known:
        near = get_close_matches(wanted, known, n=3, cutoff=0.4) or list(known)
        raise error(f"no {kind} {wanted!r}: did you mean {', '.join(near)}?")
    return known[wanted]
