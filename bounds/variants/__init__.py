"""The shelf of attention variants: one file a map, discovered by its constant VARIANT and built at the first call."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import VariantDataError
from ..variant import Variant


@cache
def shelf() -> dict[str, Variant]:
    """Every variant by id.

    Raises VariantDataError for a file without a VARIANT of its own.
    """
    names = sorted(info.name for info in iter_modules(__path__))
    found = [_variant_of(f"{__name__}.{name}") for name in names]
    return {variant.id: variant for variant in found}


def _variant_of(module: str) -> Variant:
    found = getattr(import_module(module), "VARIANT", None)
    if not isinstance(found, Variant) or found.module != module:
        raise VariantDataError(f"{module}: a file of the shelf holds one VARIANT = Variant(__name__, ...)")
    return found
