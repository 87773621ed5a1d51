"""BERT in numpy float64, as far as the input of one layer: only to find the point that is then certified exactly."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from .bert_weights import BertWeights
from .domains import LayerNormImage
from .errors import ModelError, UnsupportedModelError
from .tokenize import token_ids

Array = NDArray[np.float64]


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1.0 + erf(x / np.sqrt(2.0)))


def _relu(x: Array) -> Array:
    return np.maximum(x, 0.0)


ACTIVATIONS: Mapping[str, Callable[[Array], Array]] = {"gelu": _gelu, "relu": _relu}


def hidden_states(weights: BertWeights, folder: Path, layer: int, text: str, tokens: int) -> Array:
    """The float64 input (tokens, d) of attention layer `layer` for the beginning of a text; dropout is the identity.

    Raises InputError and ModelError as `token_ids`, ModelError for missing or unusable tensors, and
    UnsupportedModelError for an activation that is not in ACTIVATIONS.
    """
    activation = weights.config.hidden_act
    if layer > 0 and activation not in ACTIVATIONS:
        raise UnsupportedModelError(
            f"hidden_act {activation} is not supported ({', '.join(ACTIVATIONS)} are): give an input array instead"
        )
    ids = token_ids(folder, text, tokens, weights.config.max_position_embeddings)
    X = _embeddings(weights, ids)
    for before in range(layer):
        X = _layer(weights, before, X)
    return X


def _embeddings(weights: BertWeights, ids: list[int]) -> Array:
    config = weights.config
    if max(ids) >= config.vocab_size:
        raise ModelError(f"the tokenizer gives the id {max(ids)}, the model has {config.vocab_size} words")
    words = weights.rows("embeddings.word_embeddings.weight", config.vocab_size, ids)
    places = list(range(len(ids)))
    positions = weights.rows("embeddings.position_embeddings.weight", config.max_position_embeddings, places)
    types = weights.rows("embeddings.token_type_embeddings.weight", config.type_vocab_size, [0])
    return _normalised(words + types + positions, weights.norm("embeddings.LayerNorm")[0])


def _layer(weights: BertWeights, index: int, X: Array) -> Array:
    """The output of encoder layer `index`: attention and feed-forward, each with residual and LayerNorm."""
    name, config = f"encoder.layer.{index}", weights.config
    after_attention = X + weights.attention(index).forward(X)
    Y = _normalised(after_attention, weights.norm(f"{name}.attention.output.LayerNorm")[0])
    W, b = weights.linear(f"{name}.intermediate.dense", config.intermediate_size, config.hidden_size)
    Z = ACTIVATIONS[config.hidden_act](Y @ W.T + b)
    W, b = weights.linear(f"{name}.output.dense", config.hidden_size, config.intermediate_size)
    return _normalised(Y + Z @ W.T + b, weights.norm(f"{name}.output.LayerNorm")[0])


def _normalised(X: Array, norm: LayerNormImage) -> Array:
    centred = X - X.mean(axis=1, keepdims=True)
    variance = np.mean(centred**2, axis=1, keepdims=True)
    return norm.gamma * centred / np.sqrt(variance + norm.eps) + norm.beta
