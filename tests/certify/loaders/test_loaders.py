"""Discovery, and what a user reads when nothing recognises the model."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from certify import loaders as shelf
from certify.errors import ModelError, UnsupportedModelError
from certify.loaders import load, loaders
from tests.certify.loaders.accepted import ACCEPTED
from tests.certify.refusal import refused
from tests.certify.tiny_bert import write_bert


def test_every_file_of_the_folder_is_a_loader() -> None:
    files = {path.stem for path in Path(shelf.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(loaders()) == files


def test_looking_for_loaders_loads_no_torch() -> None:
    code = "import sys; from certify.loaders import loaders; loaders(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0


def test_no_model_is_claimed_twice(tmp_path: Path) -> None:
    models = ["minilm", write_bert(tmp_path), torch.nn.MultiheadAttention(4, 2), "other", 3]
    claims = [sum(loader.recognises(model) for loader in loaders().values()) for model in models]
    assert claims == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("name", ["nolm", "no/such/folder", "x" * 5000])
def test_no_such_model(name: str) -> None:
    with refused(ModelError, f"no model {name}: neither a file or folder nor the name of a demo model; {ACCEPTED}"):
        load(name, 0)


def test_a_folder_without_config(tmp_path: Path) -> None:
    with refused(ModelError, f"no config.json in {tmp_path}: it says what kind of model the weights are"):
        load(tmp_path, 0)


def test_weights_without_config(tmp_path: Path) -> None:
    folder = write_bert(tmp_path)
    (folder / "config.json").unlink()
    with refused(ModelError, f"no config.json in {tmp_path}: it says what kind of model the weights are"):
        load(folder / "model.safetensors", 0)


def test_another_model_type_is_refused_by_name_and_architecture(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}))
    message = f"{tmp_path} holds a model of type gpt2 (GPT2LMHeadModel), which is not supported: {ACCEPTED}"
    with refused(UnsupportedModelError, message):
        load(tmp_path, 0)


def test_a_config_that_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    message = f"{tmp_path} holds a model of type unknown (no architecture named), which is not supported: {ACCEPTED}"
    with refused(UnsupportedModelError, message):
        load(tmp_path, 0)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(b"")
    with refused(UnsupportedModelError, f"{path} is not supported: {ACCEPTED}"):
        load(path, 0)


def test_another_module_is_refused_by_name() -> None:
    with refused(UnsupportedModelError, f"torch.nn.modules.linear.Linear is not supported: {ACCEPTED}"):
        load(torch.nn.Linear(2, 2))


def test_a_subclass_is_refused_by_name() -> None:
    class Attention(torch.nn.MultiheadAttention):
        pass

    with refused(UnsupportedModelError, f"{__name__}.{Attention.__qualname__} is not supported: {ACCEPTED}"):
        load(Attention(4, 2))
