"""Certified Lipschitz bounds of attention layers: `certify.layer(model, x)` in two lines, or the command `certify`.

Nothing heavy is imported before it is used: numpy and scipy come with the first call, torch never comes by itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import AttentionBoundsError, CertificateError, InputError, ModelError, UnsupportedModelError

if TYPE_CHECKING:
    from .certify_layer import certify_layer as layer
    from .certify_written import cross
    from .explicit.attention_pair import AttentionPair
    from .explicit.rotary import Rotary
    from .sublayer.token_norm import TokenNorm

__all__ = [
    "AttentionBoundsError",
    "AttentionPair",
    "CertificateError",
    "InputError",
    "ModelError",
    "Rotary",
    "TokenNorm",
    "UnsupportedModelError",
    "cross",
    "layer",
]

_LATER = {  # name -> where it lies, and what it is called there
    "AttentionPair": ("explicit.attention_pair", "AttentionPair"),
    "Rotary": ("explicit.rotary", "Rotary"),
    "TokenNorm": ("sublayer.token_norm", "TokenNorm"),
    "cross": ("certify_written", "cross"),
    "layer": ("certify_layer", "certify_layer"),
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        module, there = _LATER[name]
        return getattr(import_module(f"{__name__}.{module}"), there)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
