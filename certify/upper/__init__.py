"""The shelf of upper bounds for one head: one file a method, discovered by its constant METHOD."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..method import Method


@cache
def methods() -> tuple[Method, ...]:
    """Every method on the shelf, in the order of file names."""
    names = sorted(info.name for info in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}").METHOD for name in names)
