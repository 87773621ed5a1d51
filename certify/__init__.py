"""Certified Lipschitz bounds of attention layers: `certify.layer(model, x)` in two lines, or the command `certify`.

Nothing heavy is imported before it is used: numpy and scipy come with the first call, torch never comes by itself.
"""

from typing import TYPE_CHECKING, Any

from .errors import AttentionBoundsError, CertificateError, InputError, ModelError, UnsupportedModelError

if TYPE_CHECKING:
    from .certify_layer import certify_layer as layer
    from .sublayer.token_norm import TokenNorm

__all__ = [
    "AttentionBoundsError",
    "CertificateError",
    "InputError",
    "ModelError",
    "TokenNorm",
    "UnsupportedModelError",
    "layer",
]


def __getattr__(name: str) -> Any:
    if name == "layer":
        from .certify_layer import certify_layer

        return certify_layer
    if name == "TokenNorm":
        from .sublayer.token_norm import TokenNorm

        return TokenNorm
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
