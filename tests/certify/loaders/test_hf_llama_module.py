"""Llama's attention: causal, rotary, with shared keys and values, alone and as the pre-norm block it is built in."""

from typing import Any

import numpy as np
import pytest
import torch
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaAttention, LlamaDecoderLayer

import certify
from certify.attention_layer import Array
from certify.errors import InputError, ModelError, UnsupportedModelError
from certify.outcome import Bound
from tests.certify.refusal import refused

SIZES: dict[str, Any] = {
    "hidden_size": 12,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 4,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "vocab_size": 5,
}


def module(kind: Any = LlamaDecoderLayer, **options: Any) -> Any:
    torch.manual_seed(0)
    config = LlamaConfig(**{**SIZES, **options})
    config._attn_implementation = "sdpa"  # the other one rounds its softmax to float32
    made = kind(config, 0).eval().double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return made


def tokens(n: int = 4) -> Array:
    return np.random.default_rng(0).standard_normal((n, 12))


def table(n: int) -> tuple[Any, Any]:
    """cos and sin (1, n, 4) in float64, as the model lays them out."""
    angle = torch.arange(n)[:, None].double() * 10_000.0 ** (-torch.arange(0, 4, 2).double() / 4)
    twice = torch.cat([angle, angle], -1)[None]
    return twice.cos(), twice.sin()


def jacobian_norm(made: Any, X: Array, block: str | None) -> float:
    attention = made.self_attn if isinstance(made, LlamaDecoderLayer) else made
    n = len(X)
    mask = torch.tensor(np.where(np.tri(n, dtype=bool), 0.0, -np.inf))[None, None]

    def f(x):
        y = x
        if block == "pre-norm":  # the module would round to float32
            norm = made.input_layernorm
            y = norm.weight * x / (x.square().mean(-1, keepdim=True) + norm.variance_epsilon).sqrt()
        found = attention(y[None], position_embeddings=table(n), attention_mask=mask)[0][0]
        return found if block is None else x + found

    J = torch.autograd.functional.jacobian(f, torch.tensor(X)).reshape(X.size, X.size)
    return float(torch.linalg.matrix_norm(J, 2))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("block", [None, "residual", "pre-norm"])
def test_the_norm_of_transformers_lies_between(block: Any, bias: bool) -> None:
    made, X = module(attention_bias=bias), tokens()
    found, norm = certify.layer(made, X, block=block), jacobian_norm(made, X, block)
    assert isinstance(found.upper, Bound)
    assert found.lower.value <= norm * (1 + 1e-11)
    assert norm * (1 - 1e-11) <= found.upper.value <= norm * (1 + 1e-6)


def test_the_attention_alone() -> None:
    made, X = module(LlamaAttention), tokens(1)
    found, norm = certify.layer(made, X), jacobian_norm(made, X, None)
    assert isinstance(found.upper, Bound)
    assert norm * (1 - 1e-11) <= found.upper.value <= norm * (1 + 1e-6)


def test_the_models_own_table() -> None:
    """float32 cosines and sines, as the model computes them, are another map."""
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    made, X = module(), tokens()
    cos, sin = LlamaRotaryEmbedding(made.self_attn.config)(torch.zeros(1, 1).float(), torch.arange(4)[None])
    rotary = certify.Rotary.stored(cos[0, :, :2].numpy(), sin[0, :, :2].numpy())
    stored, true = certify.layer(made, X, rotary=rotary), certify.layer(made, X)
    assert isinstance(stored.upper, Bound)
    assert isinstance(true.upper, Bound)
    assert stored.upper.value != true.upper.value
    assert stored.upper.value == pytest.approx(true.upper.value, rel=1e-5)


def test_refusals() -> None:
    made, X = module(), tokens()
    message = "LlamaDecoderLayer is built pre-norm: ask for that block, or give the norm of a post-norm block"
    with refused(ModelError, message):
        certify.layer(made, X, block="post-norm")
    with refused(InputError, "head 1 alone is not bounded with rotary positions: leave out the head"):
        certify.layer(made, X, head=1)
    made.self_attn.config.rope_parameters = {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.0}
    message = (
        "rotary positions of type linear are not known: hand over the table that the model computes as "
        "rotary=certify.Rotary.stored(cos, sin)"
    )
    with refused(UnsupportedModelError, message):
        certify.layer(made, X)
    made.self_attn.scaling = 1.0
    with refused(UnsupportedModelError, "LlamaDecoderLayer scales its scores by 1.0, not by 4^(-1/2)"):
        certify.layer(made, X)
