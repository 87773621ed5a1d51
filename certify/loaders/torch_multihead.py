"""torch.nn.MultiheadAttention as self-attention: fused or separate projections, with or without bias."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..attention_layer import TensorSource
from ..bert_weights import layer_from_square
from ..errors import UnsupportedModelError
from ..loaded_layer import LoadedLayer, Loader, facts
from ..torch_weights import class_name, exact, linear, refuse_dropout, refuse_hooks, refuse_layer

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import MultiheadAttention

Array = NDArray[np.float64]
NAME = "MultiheadAttention"


def recognises(model: object) -> bool:
    return class_name(model) == f"torch.nn.modules.activation.{NAME}"


def load(model: object, layer: int | None) -> LoadedLayer:
    """The map X -> module(X, X, X)[0] of an unmasked sequence.

    Raises UnsupportedModelError for add_bias_kv, add_zero_attn, other key or value widths and hooks; ModelError for
    training mode with dropout, and as `exact`.
    """
    module: MultiheadAttention = model  # type: ignore[assignment]
    refuse_layer(NAME, layer)
    _refuse_variants(module)
    refuse_hooks(NAME, module)
    refuse_dropout(NAME, module.training, module.dropout)
    arrays: dict[str, Array] = {}
    sources: dict[str, TensorSource] = {}
    for name, (label, tensor) in projections(module).items():
        arrays[name], sources[name] = exact(label, tensor)
    linear("out_proj", module.out_proj, arrays, sources, "output")
    attention = layer_from_square(arrays, module.num_heads, sources)
    return LoadedLayer(NAME, attention, facts=facts(attention, sources["query_weight"].dtype))


def _refuse_variants(module: "MultiheadAttention") -> None:
    refuse_constant_tokens(module)
    if (module.kdim, module.vdim) != (module.embed_dim, module.embed_dim):
        raise UnsupportedModelError(
            f"{NAME} with kdim={module.kdim}, vdim={module.vdim} and embed_dim={module.embed_dim} is not self-attention"
        )


def refuse_constant_tokens(module: "MultiheadAttention") -> None:
    """Raises UnsupportedModelError for add_bias_kv and add_zero_attn."""
    if module.bias_k is not None or module.bias_v is not None:
        raise UnsupportedModelError(
            f"{NAME} with add_bias_kv=True is not supported: it attends to one more, constant token"
        )
    if module.add_zero_attn:
        raise UnsupportedModelError(
            f"{NAME} with add_zero_attn=True is not supported: it attends to one more, zero token"
        )


def projections(module: "MultiheadAttention") -> "dict[str, tuple[str, Tensor]]":
    """Query, key and value weights and biases by role, each with the name it has in the module."""
    d, found = module.embed_dim, {}
    for place, role in enumerate(("query", "key", "value")):
        rows = slice(place * d, (place + 1) * d)
        label = f"[{rows.start}:{rows.stop}]"
        if module.in_proj_weight is not None:
            found[f"{role}_weight"] = (f"in_proj_weight{label}", module.in_proj_weight[rows])
        else:
            name = f"{role[0]}_proj_weight"
            found[f"{role}_weight"] = (name, module.get_parameter(name))
        if module.in_proj_bias is not None:
            found[f"{role}_bias"] = (f"in_proj_bias{label}", module.in_proj_bias[rows])
    return found


LOADER = Loader("a torch.nn.MultiheadAttention", recognises, load)
