from pathlib import Path
from typing import Any

import pytest

from certify.bert_config import bert_config
from certify.errors import ModelError, UnsupportedModelError
from tests.certify.refusal import refused
from tests.certify.tiny_bert import CONFIG, write_bert


def test_the_configuration_is_read(tmp_path: Path) -> None:
    config = bert_config(write_bert(tmp_path, layer_norm_eps=1e-5))
    assert config.head_size == 4
    assert config.layer_norm_eps == 1e-5
    for name in ("hidden_size", "num_hidden_layers", "max_position_embeddings", "vocab_size", "hidden_act"):
        assert getattr(config, name) == CONFIG[name]


def test_what_the_file_omits_is_as_in_bert(tmp_path: Path) -> None:
    config = bert_config(write_bert(tmp_path, layer_norm_eps=None, hidden_act=None, position_embedding_type=None))
    assert (config.layer_norm_eps, config.hidden_act) == (1e-12, "gelu")


UNSUPPORTED = [
    ("position_embedding_type", "relative_key", "position_embedding_type relative_key is not supported, only absolute"),
    ("is_decoder", True, "is_decoder is set; only BERT encoders without mask are supported"),
    ("add_cross_attention", True, "add_cross_attention is set; only BERT encoders without mask are supported"),
]


@pytest.mark.parametrize(("key", "value", "reason"), UNSUPPORTED)
def test_variants_are_refused_by_name(tmp_path: Path, key: str, value: Any, reason: str) -> None:
    folder = write_bert(tmp_path, **{key: value})
    with refused(UnsupportedModelError, f"{folder / 'config.json'}: {reason}"):
        bert_config(folder)


IMPOSSIBLE = [
    ("hidden_size", None, "hidden_size is None, an integer of at least 1 is needed"),
    ("num_attention_heads", 0, "num_attention_heads is 0, an integer of at least 1 is needed"),
    ("num_hidden_layers", "six", "num_hidden_layers is six, an integer of at least 1 is needed"),
    ("vocab_size", 2.0, "vocab_size is 2.0, an integer of at least 1 is needed"),
    ("max_position_embeddings", True, "max_position_embeddings is True, an integer of at least 1 is needed"),
    ("num_attention_heads", 5, "hidden_size 12 is not a multiple of num_attention_heads 5"),
    ("layer_norm_eps", float("nan"), "layer_norm_eps is nan, a number between 0 and 1 is needed"),
    ("layer_norm_eps", -1e-5, "layer_norm_eps is -1e-05, a number between 0 and 1 is needed"),
    ("layer_norm_eps", "1e-5", "layer_norm_eps is 1e-5, a number between 0 and 1 is needed"),
]


@pytest.mark.parametrize(("key", "value", "reason"), IMPOSSIBLE)
def test_impossible_values_are_named(tmp_path: Path, key: str, value: Any, reason: str) -> None:
    folder = write_bert(tmp_path, **{key: value})
    with refused(ModelError, f"{folder / 'config.json'}: {reason}"):
        bert_config(folder)
