"""A normalisation as it is handed over: our own `TokenNorm`, torch's LayerNorm or RMSNorm, or that of a Llama."""

from typing import Any

import numpy as np

from ..attention_layer import TensorSource
from ..errors import ModelError, UnsupportedModelError
from ..torch_weights import class_name, exact, refuse_hooks
from .token_norm import TokenNorm

_PACKAGE = "torch.nn.modules.normalization."
_LLAMA = "transformers.models.llama.modeling_llama.LlamaRMSNorm"


def norm_of(norm: object) -> TokenNorm:
    """gamma, beta and eps as exact doubles; a weight of one and a bias of zero where the module has none.

    Raises UnsupportedModelError, naming it, for anything else, hooks, or several axes; ModelError for unusable weights,
    and for an RMSNorm whose eps depends on the number format.
    """
    if isinstance(norm, TokenNorm):
        return norm
    if class_name(norm) == _LLAMA:
        return _of_llama(norm)
    name = class_name(norm).removeprefix(_PACKAGE)
    if class_name(norm) not in (f"{_PACKAGE}LayerNorm", f"{_PACKAGE}RMSNorm"):
        raise UnsupportedModelError(
            f"{class_name(norm)} is no norm that is supported: accepted are torch.nn.LayerNorm, torch.nn.RMSNorm and "
            "certify.TokenNorm(gamma, beta, eps)"
        )
    refuse_hooks(name, norm)
    module: Any = norm
    if len(module.normalized_shape) != 1:
        raise UnsupportedModelError(
            f"{name} over the axes {tuple(module.normalized_shape)}: only the last one is taken"
        )
    if module.eps is None:
        raise ModelError(f"{name} with eps=None takes eps from the number format of its input: give it one")
    d, sources = module.normalized_shape[0], {}
    values = {"weight": np.ones(d), "bias": np.zeros(d)}
    for part in values:
        tensor = getattr(module, part, None)
        if tensor is not None:
            source: TensorSource
            values[part], source = exact(f"{name}.{part}", tensor)
            sources[f"block_norm_{part}"] = source
    return TokenNorm(values["weight"], values["bias"], float(module.eps), name == "LayerNorm", sources)


def _of_llama(norm: object) -> TokenNorm:
    """The real map: the module itself computes it in float32, whatever its input."""
    refuse_hooks("LlamaRMSNorm", norm)
    module: Any = norm
    weight, source = exact("LlamaRMSNorm.weight", module.weight)
    eps = float(module.variance_epsilon)
    return TokenNorm(weight, np.zeros_like(weight), eps, centred=False, sources={"block_norm_weight": source})
