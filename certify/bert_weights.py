"""The tensors of a BERT file by what they do, whatever prefix and spelling the file uses."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .attention_layer import AttentionLayer, TensorSource
from .bert_config import BertConfig
from .domains import LayerNormImage
from .grouped_heads import shared
from .safetensors_file import SafetensorsFile
from .sublayer.token_norm import TokenNorm

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BertWeights:
    """Exact float64 arrays from a file whose tensors are named with or without the prefix "bert."."""

    file: SafetensorsFile
    config: BertConfig

    def tensor(self, name: str, *shape: int) -> tuple[Array, TensorSource]:
        """Raises ModelError as `SafetensorsFile.read`."""
        values, source = self.file.read(self.full_name(name), shape)
        return values.astype(np.float64), source

    def rows(self, name: str, count: int, indices: list[int]) -> Array:
        """Some rows of a table of `count` rows; only these become float64, the table being large."""
        values, _ = self.file.read(self.full_name(name), (count, self.config.hidden_size))
        return values[indices].astype(np.float64)

    def full_name(self, name: str) -> str:
        return f"bert.{name}" if any(entry.startswith("bert.") for entry in self.file.entries) else name

    def norm(self, name: str) -> tuple[LayerNormImage, dict[str, TensorSource]]:
        """The LayerNorm of that name; old files call its weight gamma and its bias beta."""
        old = self.full_name(f"{name}.gamma") in self.file.entries
        weight, bias = ("gamma", "beta") if old else ("weight", "bias")
        gamma, gamma_source = self.tensor(f"{name}.{weight}", self.config.hidden_size)
        beta, beta_source = self.tensor(f"{name}.{bias}", self.config.hidden_size)
        image = LayerNormImage(gamma, beta, self.config.layer_norm_eps)
        return image, {"norm_weight": gamma_source, "norm_bias": beta_source}

    def norm_before(self, layer: int) -> tuple[LayerNormImage, dict[str, TensorSource]]:
        """BERT normalises after each sublayer: layer L is fed by the last one of layer L-1, or of the embeddings."""
        return self.norm("embeddings.LayerNorm" if layer == 0 else f"encoder.layer.{layer - 1}.output.LayerNorm")

    def norm_after(self, layer: int) -> TokenNorm:
        """The LayerNorm of the sum of the layer's tokens and its attention's output."""
        image, sources = self.norm(f"encoder.layer.{layer}.attention.output.LayerNorm")
        return TokenNorm(image.gamma, image.beta, image.eps, sources={f"block_{k}": v for k, v in sources.items()})

    def linear(self, name: str, rows: int, columns: int) -> tuple[Array, Array]:
        """Weight (rows, columns) and bias (rows,)."""
        return self.tensor(f"{name}.weight", rows, columns)[0], self.tensor(f"{name}.bias", rows)[0]

    def attention(self, layer: int) -> AttentionLayer:
        """Self-attention of the layer with its output projection, before dropout, residual and LayerNorm."""
        names = {"query": "self.query", "key": "self.key", "value": "self.value", "output": "output.dense"}
        d, arrays, sources = self.config.hidden_size, {}, {}
        for role, part in names.items():
            name = f"encoder.layer.{layer}.attention.{part}"
            arrays[f"{role}_weight"], sources[f"{role}_weight"] = self.tensor(f"{name}.weight", d, d)
            arrays[f"{role}_bias"], sources[f"{role}_bias"] = self.tensor(f"{name}.bias", d)
        return layer_from_square(arrays, self.config.num_attention_heads, sources)


def layer_from_square(
    arrays: Mapping[str, Array], heads: int, sources: Mapping[str, TensorSource], kv_heads: int | None = None
) -> AttentionLayer:
    """The usual fused layout: four d x d weights whose rows (columns, for the output) are the heads one after another.

    With `kv_heads` there are only so many keys and values, each for heads / kv_heads consecutive heads: key_weight and
    value_weight are (kv_heads k, d), their biases (kv_heads k,).

    Shapes: query_weight, key_weight, value_weight, output_weight (d, d); query_bias, key_bias, value_bias, output_bias
    (d,), where an absent query, key or value bias is zero and an absent output bias is None. Scores are scaled by
    1/sqrt(d/heads).
    """
    size, d = arrays["query_weight"].shape
    k = size // heads
    split: dict[str, Array] = {}
    for role in ("query", "key", "value"):
        count = heads if role == "query" or kv_heads is None else kv_heads
        bias = arrays.get(f"{role}_bias", np.zeros(count * k))
        split[f"{role}_weight"] = shared(arrays[f"{role}_weight"].reshape(count, k, d), heads)
        split[f"{role}_bias"] = shared(bias.reshape(count, k), heads)
    return AttentionLayer(
        **split,
        output_weight=arrays["output_weight"].reshape(-1, heads, k) if "output_weight" in arrays else None,
        output_bias=arrays.get("output_bias"),
        scale_squared=Fraction(1, k),
        sources=dict(sources),
    )
