"""torch.nn.TransformerEncoderLayer: its self-attention, and the LayerNorm before or after it."""

from typing import TYPE_CHECKING

from ..errors import UnsupportedModelError
from ..loaded_layer import LoadedLayer, Loader, facts
from ..sublayer.norm_of import norm_of
from ..torch_weights import class_name, refuse_dropout, refuse_hooks, refuse_layer
from . import torch_multihead

if TYPE_CHECKING:
    from torch.nn import TransformerEncoderLayer

NAME = "TransformerEncoderLayer"


def recognises(model: object) -> bool:
    return class_name(model) == f"torch.nn.modules.transformer.{NAME}"


def load(model: object, layer: int | None) -> LoadedLayer:
    """The unmasked self-attention of the module; `block` is post-norm, or pre-norm where it was built norm_first.

    Raises UnsupportedModelError for hooks and for attention that is not plain self-attention; ModelError for training
    mode with dropout and for unusable weights.
    """
    module: TransformerEncoderLayer = model  # type: ignore[assignment]
    refuse_layer(NAME, layer)
    refuse_hooks(NAME, module)
    refuse_dropout(NAME, module.training, module.dropout1.p)
    if not torch_multihead.recognises(module.self_attn):
        raise UnsupportedModelError(f"{NAME} holds a {class_name(module.self_attn)}, which is not supported")
    attention = torch_multihead.load(module.self_attn, None).attention
    return LoadedLayer(
        NAME,
        attention,
        facts=facts(attention, attention.sources["query_weight"].dtype),
        block="pre-norm" if module.norm_first else "post-norm",
        block_norm=norm_of(module.norm1),
    )


LOADER = Loader("a torch.nn.TransformerEncoderLayer", recognises, load)
