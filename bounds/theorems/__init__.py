"""The shelf of theorems: one file a result, discovered by its constant THEOREM."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import TheoremDataError
from ..theorem import Theorem


@cache
def shelf() -> dict[str, Theorem]:
    """Every theorem by id.

    Raises TheoremDataError for a file without a THEOREM of its own.
    """
    names = sorted(info.name for info in iter_modules(__path__))
    found = [_theorem_of(f"{__name__}.{name}") for name in names]
    return {theorem.id: theorem for theorem in found}


def _theorem_of(module: str) -> Theorem:
    found = getattr(import_module(module), "THEOREM", None)
    if not isinstance(found, Theorem) or found.module != module:
        raise TheoremDataError(f"{module}: a file of the shelf holds one THEOREM = Theorem(__name__, ...)")
    return found
