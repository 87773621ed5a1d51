"""The shelf of theorems: one file a result, discovered by its constant THEOREM."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..theorem import Theorem


@cache
def shelf() -> dict[str, Theorem]:
    """Every theorem by id."""
    names = sorted(info.name for info in iter_modules(__path__))
    found = [import_module(f"{__name__}.{name}").THEOREM for name in names]
    return {theorem.id: theorem for theorem in found}
