import json
from pathlib import Path

import pytest

from certify.errors import InputError, ModelError
from certify.tokenize import token_ids
from tests.certify.refusal import refused
from tests.certify.tiny_bert import ALL, CLS, SEP, TEXT, write_tokenizer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path)
    return tmp_path


@pytest.mark.parametrize("tokens", range(2, len(ALL) + 1))
def test_the_first_pieces_and_a_closing_sep(folder: Path, tokens: int) -> None:
    """Five tokens is where this tokenizer itself would truncate, and below it would pad."""
    assert token_ids(folder, TEXT, tokens, 16) == [*ALL[: tokens - 1], SEP]


def test_one_token_is_cls_alone(folder: Path) -> None:
    assert token_ids(folder, TEXT, 1, 16) == [CLS]


@pytest.mark.parametrize("tokens", [0, -3])
def test_at_least_one_token(folder: Path, tokens: int) -> None:
    with refused(InputError, f"{tokens} tokens asked for: at least 1 is needed"):
        token_ids(folder, TEXT, tokens, 16)


def test_more_tokens_than_positions_are_refused(folder: Path) -> None:
    with refused(InputError, "513 tokens asked for, the model has 512 positions: ask for at most 512"):
        token_ids(folder, TEXT, 513, 512)


def test_a_text_longer_than_the_positions_is_fine_when_fewer_tokens_are_asked_for(folder: Path) -> None:
    assert len(token_ids(folder, TEXT * 100, 16, 16)) == 16


def test_more_tokens_than_the_text_has_are_refused(folder: Path) -> None:
    with refused(InputError, "13 tokens asked for, the text yields 12 with [CLS] and [SEP]: ask for fewer"):
        token_ids(folder, TEXT, 13, 16)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_refused(folder: Path, text: str) -> None:
    with refused(InputError, "the text is empty: give one with at least one word"):
        token_ids(folder, text, 2, 16)


def test_a_folder_without_tokenizer_is_refused(tmp_path: Path) -> None:
    with refused(ModelError, f"no tokenizer.json in {tmp_path}: give an input array instead of a text"):
        token_ids(tmp_path, TEXT, 4, 16)


def test_a_broken_tokenizer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer.json is not a tokenizer: "):
        token_ids(tmp_path, TEXT, 4, 16)


def test_a_tokenizer_without_cls_and_sep_is_refused(folder: Path) -> None:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "post_processor": None}))
    with refused(ModelError, f"tokenizer.json in {folder} puts no [CLS] and [SEP] around a text: not a BERT tokenizer"):
        token_ids(folder, TEXT, 4, 16)
