"""The same model, computed by transformers in float64."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Array = NDArray[np.float64]


def reference_model(folder: Path) -> Any:
    from transformers import BertModel

    return BertModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False).eval().double()


def reference_states(model: Any, ids: list[int]) -> list[Array]:
    """The inputs of layers 0, 1, ... and the output of the last."""
    with torch.no_grad():
        return [h[0].numpy() for h in model(torch.tensor([ids]), output_hidden_states=True).hidden_states]


def reference_attention(attention: Any, X: Array) -> Array:
    """Self-attention and output projection of a BertAttention, without dropout, residual and LayerNorm."""
    with torch.no_grad():
        return attention.output.dense(attention.self(torch.from_numpy(X)[None])[0])[0].numpy()


def relative_error(got: Array, expected: Array) -> float:
    assert got.shape == expected.shape
    return float(np.abs(got - expected).max() / np.abs(expected).max())
