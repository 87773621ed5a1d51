"""Attention modules of transformers' Llama, known by class name: causal, rotary, with shared keys and values."""

from functools import partial
from typing import Any

from ..attention_layer import Array, TensorSource
from ..bert_weights import layer_from_square
from ..errors import UnsupportedModelError
from ..explicit.rotary import Rotary
from ..loaded_layer import LoadedLayer, Loader, facts
from ..sublayer.norm_of import norm_of
from ..torch_weights import class_name, linear, refuse_dropout, refuse_hooks, refuse_layer

_PACKAGE = "transformers.models.llama.modeling_llama."
_ATTENTION, _LAYER = "LlamaAttention", "LlamaDecoderLayer"


def recognises(model: object) -> bool:
    return class_name(model) in (_PACKAGE + _ATTENTION, _PACKAGE + _LAYER)


def load(model: object, layer: int | None) -> LoadedLayer:
    """The causal self-attention of the module; of a decoder layer also its RMSNorm, which makes a pre-norm block.

    The rotary positions are the true cosines and sines of the configuration's angles, not a float32 table of them; to
    bound the map with a table, hand it over as `rotary`.

    Raises UnsupportedModelError for scaled angles (from `rotary`, when it is asked for), replaced parts and hooks;
    ModelError for training mode with dropout and for unusable weights.
    """
    name = class_name(model).removeprefix(_PACKAGE)
    refuse_layer(name, layer)
    refuse_hooks(name, model)
    outer: Any = model
    inner: Any = outer.self_attn if name == _LAYER else outer
    if class_name(inner) != _PACKAGE + _ATTENTION:
        raise UnsupportedModelError(f"{name} holds a {class_name(inner)}, which is not supported")
    refuse_hooks(_ATTENTION, inner)
    refuse_dropout(name, inner.training, inner.attention_dropout)
    if inner.scaling != inner.head_dim**-0.5:
        raise UnsupportedModelError(f"{name} scales its scores by {inner.scaling}, not by {inner.head_dim}^(-1/2)")
    arrays: dict[str, Array] = {}
    sources: dict[str, TensorSource] = {}
    for role in ("query", "key", "value", "output"):
        part = f"{role[0]}_proj"
        linear(part, getattr(inner, part), arrays, sources, role)
    heads, kv_heads = inner.config.num_attention_heads, inner.config.num_key_value_heads
    attention = layer_from_square(arrays, heads, sources, kv_heads)
    return LoadedLayer(
        name,
        attention,
        facts=facts(attention, sources["query_weight"].dtype),
        block="pre-norm" if name == _LAYER else None,
        block_norm=norm_of(outer.input_layernorm) if name == _LAYER else None,
        causal=True,
        rotary=partial(_rotary, inner.config.rope_parameters, inner.head_dim),
    )


def _rotary(parameters: Any, size: int, positions: int) -> Rotary:
    if parameters["rope_type"] != "default":
        raise UnsupportedModelError(
            f"rotary positions of type {parameters['rope_type']} are not known: hand over the table that the model "
            "computes as rotary=certify.Rotary.stored(cos, sin)"
        )
    return Rotary.of_angles(positions, size, float(parameters["rope_theta"]))


LOADER = Loader("a transformers LlamaAttention or LlamaDecoderLayer", recognises, load)
