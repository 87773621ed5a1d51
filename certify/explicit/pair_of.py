"""Cross-attention as it is handed over: an `AttentionPair` of arrays, or torch's MultiheadAttention."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..attention_layer import Array, TensorSource
from ..errors import UnsupportedModelError
from ..loaders import torch_multihead
from ..torch_weights import class_name, exact, linear, refuse_dropout, refuse_hooks
from .attention_pair import AttentionPair


def pair_of(model: object) -> tuple[str, AttentionPair, Mapping[str, TensorSource]]:
    """A name, the arrays, and where they came from.

    Raises UnsupportedModelError for anything else, and for keys and values of different sizes; ModelError for unusable
    weights and for training mode with dropout.
    """
    if isinstance(model, AttentionPair):
        return "AttentionPair", model, {}
    if not torch_multihead.recognises(model):
        raise UnsupportedModelError(
            f"{class_name(model)} is no cross-attention that is supported: accepted are a torch.nn.MultiheadAttention "
            "and an AttentionPair of arrays"
        )
    module: Any = model
    name = torch_multihead.NAME
    torch_multihead.refuse_constant_tokens(module)
    refuse_hooks(name, module)
    refuse_dropout(name, module.training, module.dropout)
    if module.kdim != module.vdim:
        raise UnsupportedModelError(f"{name} with kdim={module.kdim} and vdim={module.vdim} reads two inputs beside x")
    arrays: dict[str, Array] = {}
    sources: dict[str, TensorSource] = {}
    for role, (label, tensor) in torch_multihead.projections(module).items():
        arrays[role], sources[role] = exact(label, tensor)
    linear("out_proj", module.out_proj, arrays, sources, "output")
    H, d = module.num_heads, module.embed_dim
    k = d // H
    weight = {role: arrays[f"{role}_weight"].reshape(H, k, -1) for role in ("query", "key", "value")}
    bias = {role: arrays.get(f"{role}_bias", np.zeros(d)).reshape(H, k) for role in weight}
    pair = AttentionPair(
        query_weight=weight["query"],
        query_bias=bias["query"],
        key_weight=weight["key"],
        key_bias=bias["key"],
        value_weight=weight["value"],
        value_bias=bias["value"],
        output_weight=arrays["output_weight"].reshape(d, H, k),
        output_bias=arrays.get("output_bias"),
        scale_squared=Fraction(1, k),
    )
    return name, pair, sources
