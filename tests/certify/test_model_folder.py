from pathlib import Path

import pytest

from certify.errors import ModelError
from certify.model_folder import folder_of, model_type, read_config
from tests.certify.refusal import refused
from tests.certify.tiny_bert import write_bert


def test_a_folder_and_its_weights_file_mean_the_folder(tmp_path: Path) -> None:
    folder = write_bert(tmp_path)
    assert folder_of(folder) == folder_of(str(folder)) == folder_of(folder / "model.safetensors") == folder
    assert model_type(folder / "model.safetensors") == "bert"


@pytest.mark.parametrize("model", [3, None, "no-such-folder", "a\0b", "x" * 10_000])
def test_anything_else_means_no_folder(model: object) -> None:
    assert folder_of(model) is None
    assert model_type(model) is None


def test_another_file_means_no_folder(tmp_path: Path) -> None:
    assert folder_of(write_bert(tmp_path) / "config.json") is None


def test_a_folder_without_config_has_no_model_type(tmp_path: Path) -> None:
    assert model_type(tmp_path) is None


def test_a_config_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("{")
    reason = "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    with refused(ModelError, f"{path} is not JSON: {reason}"):
        read_config(tmp_path)


def test_a_config_that_is_a_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("[]")
    with refused(ModelError, f"{path} is not a JSON object"):
        read_config(tmp_path)


def test_a_missing_config_is_refused(tmp_path: Path) -> None:
    with refused(ModelError, f"cannot read {tmp_path / 'config.json'}: No such file or directory"):
        read_config(tmp_path)
