from typing import Any

import numpy as np
import pytest
import torch
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertAttention, BertLayer, BertModel, BertSelfAttention

from certify.errors import ModelError, UnsupportedModelError
from certify.loaders import load
from tests.certify.loaders.accepted import ACCEPTED
from tests.certify.refusal import refused
from tests.certify.transformers_bert import reference_attention, relative_error

SIZES = {"hidden_size": 12, "num_attention_heads": 3, "intermediate_size": 16, "num_hidden_layers": 1, "vocab_size": 5}


def config(**options: Any) -> BertConfig:
    made = BertConfig(**SIZES, **options)
    made._attn_implementation = "eager"
    return made


def module(kind: type = BertLayer, **options: Any) -> Any:
    torch.manual_seed(0)
    made = kind(config(**options)).eval().double()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


@pytest.mark.parametrize("kind", [BertLayer, BertAttention])
def test_the_attention_with_its_projection_is_that_of_transformers(kind: type) -> None:
    made = module(kind)
    X = np.random.default_rng(0).normal(size=(5, 12))
    expected = reference_attention(made.attention if kind is BertLayer else made, X)
    assert relative_error(load(made).attention.forward(X), expected) <= 1e-10


def test_self_attention_has_no_projection() -> None:
    made = module(BertSelfAttention)
    X = np.random.default_rng(0).normal(size=(5, 12))
    loaded = load(made)
    assert loaded.attention.output_weight is None
    with torch.no_grad():
        expected = made(torch.from_numpy(X)[None])[0][0].numpy()
    assert relative_error(loaded.attention.forward(X), expected) <= 1e-10


def test_the_half_of_a_model_is_its_weights_exactly() -> None:
    made = module().half()
    loaded = load(made)
    assert loaded.facts == {"heads": 3, "d": 12, "k": 4, "dtype": "F16"}
    assert (loaded.attention.key_bias.ravel() == made.attention.self.key.bias.double().detach().numpy()).all()


def test_training_mode_with_dropout() -> None:
    message = "BertLayer is in training mode with dropout 0.1, its output is random: call .eval() first"
    with refused(ModelError, message):
        load(module().train())
    made = module(attention_probs_dropout_prob=0.0).train()  # the dropout after the projection is still there
    with refused(ModelError, message):
        load(made)
    none = module(attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0).train()
    assert load(none).attention.heads == 3


def test_a_decoder() -> None:
    message = "BertAttention: is_decoder is set; only BERT encoders without mask are supported"
    with refused(UnsupportedModelError, message):
        load(module(BertAttention, is_decoder=True))


def test_cross_attention() -> None:
    made = BertAttention(config(), is_cross_attention=True).eval()
    name = "transformers.models.bert.modeling_bert.BertCrossAttention"
    message = f"BertAttention holds a {name}, which is not supported: only self-attention is"
    with refused(UnsupportedModelError, message):
        load(made)


def test_relative_positions_of_older_versions() -> None:
    made = module(BertSelfAttention)
    made.position_embedding_type = "relative_key"
    message = "BertSelfAttention: position_embedding_type relative_key is not supported, only absolute"
    with refused(UnsupportedModelError, message):
        load(made)


def test_a_replaced_projection_is_refused_by_name() -> None:
    made = module()
    made.attention.self.value = torch.nn.Identity()
    name = "torch.nn.modules.linear.Identity"
    with refused(UnsupportedModelError, f"value is a {name}, not supported: only torch.nn.Linear is"):
        load(made)


HOOKED = [
    ("", "BertLayer"),
    ("attention", "BertAttention"),
    ("attention.self", "BertSelfAttention"),
    ("attention.output", "BertLayer output"),
]


@pytest.mark.parametrize(("part", "name"), HOOKED)
def test_hooks(part: str, name: str) -> None:
    made = module()
    made.get_submodule(part).register_forward_hook(lambda *_: None)
    message = f"{name} has forward hooks, which may change its output: remove them first"
    with refused(UnsupportedModelError, message):
        load(made)


def test_weights_that_are_not_finite() -> None:
    made = module()
    torch.nn.init.constant_(made.attention.self.key.weight, torch.nan)
    with refused(ModelError, "key.weight holds nan or infinity: nothing can be proved about it"):
        load(made)


def test_a_whole_model_is_refused_by_name() -> None:
    name = "transformers.models.bert.modeling_bert.BertModel"
    with refused(UnsupportedModelError, f"{name} is not supported: {ACCEPTED}"):
        load(BertModel(config()))
