from pathlib import Path

import pytest

from certify.bert_config import bert_config
from certify.bert_forward import hidden_states
from certify.bert_weights import BertWeights
from certify.errors import InputError, ModelError, UnsupportedModelError
from certify.safetensors_file import open_safetensors
from tests.certify.refusal import refused
from tests.certify.tiny_bert import ALL, SEP, TEXT, write_bert
from tests.certify.transformers_bert import reference_model, reference_states, relative_error


def weights(folder: Path) -> BertWeights:
    return BertWeights(open_safetensors(folder / "model.safetensors"), bert_config(folder))


@pytest.mark.parametrize("dtype", ["F32", "F16", "BF16"])
@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_the_hidden_states_are_those_of_transformers(tmp_path: Path, dtype: str, activation: str) -> None:
    folder = write_bert(tmp_path, dtype=dtype, hidden_act=activation)
    expected = reference_states(reference_model(folder), [*ALL[:6], SEP])
    for layer in (0, 1):
        got = hidden_states(weights(folder), folder, layer, TEXT, 7)
        assert relative_error(got, expected[layer]) <= 1e-10


def test_the_eps_of_the_layernorm_is_used(tmp_path: Path) -> None:
    folder = write_bert(tmp_path, layer_norm_eps=0.5)
    expected = reference_states(reference_model(folder), [*ALL[:6], SEP])
    assert relative_error(hidden_states(weights(folder), folder, 1, TEXT, 7), expected[1]) <= 1e-10


def test_an_unknown_activation_is_refused_only_where_it_is_needed(tmp_path: Path) -> None:
    folder = write_bert(tmp_path, hidden_act="swish")
    assert hidden_states(weights(folder), folder, 0, TEXT, 7).shape == (7, 12)
    message = "hidden_act swish is not supported (gelu, relu are): give an input array instead"
    with refused(UnsupportedModelError, message):
        hidden_states(weights(folder), folder, 1, TEXT, 7)


def test_more_tokens_than_positions_are_refused(tmp_path: Path) -> None:
    folder = write_bert(tmp_path)
    with refused(InputError, "17 tokens asked for, the model has 16 positions: ask for at most 16"):
        hidden_states(weights(folder), folder, 0, TEXT * 10, 17)


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    def fewer_words(arrays) -> None:
        arrays["embeddings.word_embeddings.weight"] = arrays["embeddings.word_embeddings.weight"][:5]

    folder = write_bert(tmp_path, change=fewer_words, vocab_size=5)
    with refused(ModelError, "the tokenizer gives the id 9, the model has 5 words"):
        hidden_states(weights(folder), folder, 0, TEXT, 7)
