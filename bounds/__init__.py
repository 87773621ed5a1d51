"""What is true about the Lipschitz constant of attention, in symbols; imports SymPy and nothing heavier."""

from difflib import get_close_matches

from .errors import UnknownTheorem
from .theorem import Theorem
from .theorems import shelf

__all__ = ["Theorem", "UnknownTheorem", "theorem", "theorems"]


def theorems() -> tuple[Theorem, ...]:
    """Every theorem on the shelf, in the order of ids."""
    return tuple(shelf().values())


def theorem(theorem_id: str) -> Theorem:
    """The theorem of that id.

    Raises UnknownTheorem, naming the nearest ids, when there is none.
    """
    known = shelf()
    if theorem_id not in known:
        near = get_close_matches(theorem_id, known, n=3, cutoff=0.4) or list(known)
        raise UnknownTheorem(f"no theorem {theorem_id!r}: did you mean {', '.join(near)}?")
    return known[theorem_id]
