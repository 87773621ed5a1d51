"""What a loader hands over, what a file of the shelf `loaders` holds, and the refusal of layers and heads not there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .attention_layer import AttentionLayer, TensorSource
from .domains import LayerNormImage
from .errors import ModelError
from .explicit.rotary import Rotary
from .sublayer.sublayer import Kind
from .sublayer.token_norm import TokenNorm


@dataclass(frozen=True)
class LoadedLayer:
    """One attention layer of a model, and what surrounds it.

    `norm_image` is what the LayerNorm before the layer can produce, None where it is not known; `hidden_states(text,
    tokens)` is the float64 input (tokens, d) of this layer for a text; it is then the exact point that is certified, so
    its own rounding errors do not matter. `positions` is the largest number of tokens, None where there is no limit.
    `block` says what the model itself puts around the attention, and `block_norm` is its normalisation; None where the
    attention was handed over alone. A `causal` attention hides later tokens, however many there are, and `rotary` makes
    its rotary positions for so many tokens: `attention` alone, which knows of neither, is then not what the model
    computes.
    """

    name: str
    attention: AttentionLayer
    layer: int | None = None
    norm_image: LayerNormImage | None = None
    norm_sources: Mapping[str, TensorSource] = field(default_factory=dict)
    positions: int | None = None
    weights_path: Path | None = None
    hidden_states: Callable[[str, int], NDArray[np.float64]] | None = None
    facts: Mapping[str, int | str] = field(default_factory=dict)
    block: Kind | None = None
    block_norm: TokenNorm | None = None
    causal: bool = False
    rotary: Callable[[int], Rotary] | None = None

    def masked(self, tokens: int) -> "LoadedLayer":
        """The same for so many tokens, with the mask of a causal attention."""
        if not self.causal:
            return self
        mask = np.where(np.tri(tokens, dtype=bool), 0.0, -np.inf)
        return replace(self, attention=replace(self.attention, score_bias=mask))


@dataclass(frozen=True)
class Loader:
    """`accepts` says in words what is taken; `recognises` claims a model, `load` then loads it or says why not.

    A loader `by_name` is asked first: a name means the model of that name even where a folder is called the same.

    Raises ModelError (from `load`, and from `recognises` where a file that decides it cannot be read).
    """

    accepts: str
    recognises: Callable[[object], bool]
    load: Callable[[object, int | None], LoadedLayer]
    by_name: bool = False


def facts(layer: AttentionLayer, dtype: str) -> dict[str, int | str]:
    """Head count, token size d, head size k and the file's float format, for reports."""
    return {"heads": layer.heads, "d": layer.width, "k": layer.head_size, "dtype": dtype}


def check_layer(layer: int | None, layers: int, name: str) -> int:
    """The layer index, 0 where none is chosen; raises ModelError for one that the model lacks, naming those it has."""
    if layer is None:
        return 0
    if not 0 <= layer < layers:
        raise ModelError(f"layer {layer} does not exist: {name} has {_range('layer', layers)}")
    return layer


def check_head(loaded: LoadedLayer, head: int) -> int:
    """The head index, when the layer has it; raises ModelError naming those it has."""
    heads = loaded.attention.heads
    if not 0 <= head < heads:
        raise ModelError(f"head {head} does not exist: {loaded.name} has {_range('head', heads)}")
    return head


def _range(what: str, count: int) -> str:
    return f"only {what} 0" if count == 1 else f"{what}s 0 to {count - 1}"
