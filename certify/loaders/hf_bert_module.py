"""Attention modules of transformers' BERT, known by class name: transformers itself is never imported."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..attention_layer import TensorSource
from ..bert_weights import layer_from_square
from ..errors import UnsupportedModelError
from ..loaded_layer import LoadedLayer, Loader, facts
from ..sublayer.norm_of import norm_of
from ..sublayer.token_norm import TokenNorm
from ..torch_weights import class_name, linear, refuse_dropout, refuse_hooks, refuse_layer

Array = NDArray[np.float64]
_PACKAGE = "transformers.models.bert.modeling_bert."
_SELF_ATTENTION = ("BertSelfAttention", "BertSdpaSelfAttention")
_ACCEPTED = (*_SELF_ATTENTION, "BertAttention", "BertLayer")


def _bert_class(module: object) -> str | None:
    name = class_name(module)
    return name.removeprefix(_PACKAGE) if name.startswith(_PACKAGE) else None


def recognises(model: object) -> bool:
    return _bert_class(model) in _ACCEPTED


def load(model: object, layer: int | None) -> LoadedLayer:
    """The unmasked attention of the module: with the output projection, if the module has one, but before the residual.

    A module with a residual connection gives its LayerNorm too, for whoever asks for that block.

    Raises UnsupportedModelError for cross-attention, decoders, relative positions, replaced Linear layers and hooks;
    ModelError for training mode with dropout and for unusable weights.
    """
    name = str(_bert_class(model))
    refuse_layer(name, layer)
    refuse_hooks(name, model)
    outer: Any = model.attention if name == "BertLayer" else model  # type: ignore[attr-defined]
    inner: Any = outer if name in _SELF_ATTENTION else outer.self
    _refuse_variants(name, outer, inner)
    arrays: dict[str, Array] = {}
    sources: dict[str, TensorSource] = {}
    for role in ("query", "key", "value"):
        linear(role, getattr(inner, role), arrays, sources, role)
    norm: TokenNorm | None = None
    if outer is not inner:
        norm = norm_of(outer.output.LayerNorm)
        refuse_hooks(f"{name} output", outer.output)
        refuse_dropout(name, outer.output.dropout.training, outer.output.dropout.p)
        linear("output.dense", outer.output.dense, arrays, sources, "output")
    attention = layer_from_square(arrays, inner.num_attention_heads, sources)
    about = facts(attention, sources["query_weight"].dtype)
    return LoadedLayer(name, attention, facts=about, block="post-norm" if norm else None, block_norm=norm)


def _refuse_variants(name: str, outer: Any, inner: Any) -> None:
    """What changes the function without changing the class of the module that was handed over."""
    if _bert_class(inner) not in _SELF_ATTENTION:
        raise UnsupportedModelError(
            f"{name} holds a {class_name(inner)}, which is not supported: only self-attention is"
        )
    positions = getattr(inner, "position_embedding_type", "absolute")  # an attribute of older versions only
    if positions != "absolute":
        raise UnsupportedModelError(f"{name}: position_embedding_type {positions} is not supported, only absolute")
    if inner.is_decoder:
        raise UnsupportedModelError(f"{name}: is_decoder is set; only BERT encoders without mask are supported")
    for part in (outer, inner):
        refuse_hooks(class_name(part).removeprefix(_PACKAGE), part)
    refuse_dropout(name, inner.training, inner.dropout.p)


LOADER = Loader("a transformers BertSelfAttention, BertAttention or BertLayer", recognises, load)
