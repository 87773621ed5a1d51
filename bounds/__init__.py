"""What is true about the Lipschitz constant of attention, in symbols; imports SymPy and nothing heavier.

`bounds.theorem` and `bounds.theorems` are the two functions below. The submodules of the same names are loaded first,
so that they cannot take the names back; `from bounds.theorem import Theorem` still reaches the module.
"""

from difflib import get_close_matches

from .errors import EvaluationError, TheoremDataError, UnknownSymbol, UnknownTheorem
from .latex import bibtex
from .theorem import Example, NearMiss, Theorem
from .theorems import shelf

__all__ = [
    "EvaluationError",
    "Example",
    "NearMiss",
    "Theorem",
    "TheoremDataError",
    "UnknownSymbol",
    "UnknownTheorem",
    "bibtex",
    "theorem",
    "theorems",
]


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
