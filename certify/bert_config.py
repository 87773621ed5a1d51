"""The part of a BERT configuration that attention and its inputs depend on, and the variants that are refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ModelError, UnsupportedModelError
from .model_folder import CONFIG, read_config


@dataclass(frozen=True)
class BertConfig:
    """Sizes under the names of config.json; every size is at least 1 and heads divide the width."""

    hidden_size: int
    num_attention_heads: int
    num_hidden_layers: int
    intermediate_size: int
    max_position_embeddings: int
    vocab_size: int
    type_vocab_size: int
    layer_norm_eps: float
    hidden_act: str

    @property
    def head_size(self) -> int:
        return self.hidden_size // self.num_attention_heads


_SIZES = (
    "hidden_size",
    "num_attention_heads",
    "num_hidden_layers",
    "intermediate_size",
    "max_position_embeddings",
    "vocab_size",
    "type_vocab_size",
)


def bert_config(folder: Path) -> BertConfig:
    """The configuration in the folder's config.json.

    Raises UnsupportedModelError for relative positions and for a decoder (its mask is not in the weights); ModelError
    for a missing or impossible value, naming it.
    """
    path, config = folder / CONFIG, read_config(folder)
    positions = config.get("position_embedding_type", "absolute")
    if positions != "absolute":
        raise UnsupportedModelError(f"{path}: position_embedding_type {positions} is not supported, only absolute")
    for flag in ("is_decoder", "add_cross_attention"):
        if config.get(flag, False):
            raise UnsupportedModelError(f"{path}: {flag} is set; only BERT encoders without mask are supported")
    sizes = {name: _size(config, name, path) for name in _SIZES}
    if sizes["hidden_size"] % sizes["num_attention_heads"]:
        raise ModelError(
            f"{path}: hidden_size {sizes['hidden_size']} is not a multiple of "
            f"num_attention_heads {sizes['num_attention_heads']}"
        )
    return BertConfig(**sizes, layer_norm_eps=_eps(config, path), hidden_act=str(config.get("hidden_act", "gelu")))


def _size(config: Mapping[str, Any], name: str, path: Path) -> int:
    value = config.get(name)
    if type(value) is not int or value < 1:
        raise ModelError(f"{path}: {name} is {value}, an integer of at least 1 is needed")
    return value


def _eps(config: Mapping[str, Any], path: Path) -> float:
    """1e-12 where the file is silent, as in BERT."""
    value = config.get("layer_norm_eps", 1e-12)
    if type(value) not in (int, float) or not (0 < value < 1):
        raise ModelError(f"{path}: layer_norm_eps is {value}, a number between 0 and 1 is needed")
    return float(value)
