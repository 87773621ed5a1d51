import json
from pathlib import Path

import numpy as np
import pytest

from certify.errors import ModelError, UnsupportedModelError
from certify.loaders import load
from tests.certify.refusal import refused
from tests.certify.tiny_bert import TEXT, write_bert
from tests.certify.transformers_bert import reference_attention, reference_model, relative_error

KEY = "encoder.layer.1.attention.self.key.weight"


@pytest.mark.parametrize("prefix", ["", "bert."])
@pytest.mark.parametrize("dtype", ["F32", "F16", "BF16"])
def test_the_attention_is_that_of_transformers(tmp_path: Path, dtype: str, prefix: str) -> None:
    folder = write_bert(tmp_path, dtype=dtype, prefix=prefix)
    model = reference_model(folder)
    X = np.random.default_rng(1).normal(size=(6, 12))
    for layer in (0, 1):
        expected = reference_attention(model.encoder.layer[layer].attention, X)
        assert relative_error(load(folder, layer).attention.forward(X), expected) <= 1e-10


def test_what_surrounds_the_attention(tmp_path: Path) -> None:
    folder = write_bert(tmp_path, dtype="F16")
    loaded = load(folder, 1)
    assert (loaded.name, loaded.layer, loaded.positions) == (str(folder), 1, 16)
    assert loaded.weights_path == folder / "model.safetensors"
    assert loaded.facts == {"heads": 3, "d": 12, "k": 4, "dtype": "F16"}
    assert loaded.norm_image is not None
    assert loaded.norm_image.eps == 1e-12
    assert loaded.norm_sources["norm_weight"].tensor == "encoder.layer.0.output.LayerNorm.weight"
    assert loaded.hidden_states is not None
    assert loaded.hidden_states(TEXT, 5).shape == (5, 12)


def test_a_weights_file_of_any_name_is_taken_with_the_config_beside_it(tmp_path: Path) -> None:
    folder = write_bert(tmp_path)
    path = (folder / "model.safetensors").rename(folder / "other.safetensors")
    loaded = load(str(path))
    assert (loaded.name, loaded.weights_path, loaded.layer) == (str(path), path, 0)


@pytest.mark.parametrize("layer", [2, -1])
def test_a_layer_that_does_not_exist(tmp_path: Path, layer: int) -> None:
    with refused(ModelError, f"layer {layer} does not exist: {tmp_path} has layers 0 to 1"):
        load(write_bert(tmp_path), layer)


def test_a_missing_tensor(tmp_path: Path) -> None:
    path = write_bert(tmp_path, change=lambda arrays: arrays.pop(KEY)) / "model.safetensors"
    with refused(ModelError, f"{path} lacks the tensor {KEY}: is it the model that config.json describes?"):
        load(tmp_path, 1)
    assert load(tmp_path, 0).layer == 0


def test_another_shape(tmp_path: Path) -> None:
    path = write_bert(tmp_path, change=lambda arrays: arrays.update({KEY: arrays[KEY][:8]})) / "model.safetensors"
    with refused(ModelError, f"tensor {KEY} in {path} has shape (8, 12), config.json asks for (12, 12)"):
        load(tmp_path, 1)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_not_finite(tmp_path: Path, bad: float) -> None:
    path = write_bert(tmp_path, change=lambda arrays: arrays[KEY].put(7, bad)) / "model.safetensors"
    with refused(ModelError, f"tensor {KEY} in {path} holds nan or infinity: nothing can be proved about it"):
        load(tmp_path, 1)


def test_a_norm_that_is_not_finite(tmp_path: Path) -> None:
    name = "embeddings.LayerNorm.bias"
    path = write_bert(tmp_path, change=lambda arrays: arrays[name].put(0, np.nan)) / "model.safetensors"
    with refused(ModelError, f"tensor {name} in {path} holds nan or infinity: nothing can be proved about it"):
        load(tmp_path, 0)


def test_a_folder_without_weights(tmp_path: Path) -> None:
    (write_bert(tmp_path) / "model.safetensors").unlink()
    with refused(ModelError, f"no model.safetensors in {tmp_path}: save the model with safetensors"):
        load(tmp_path, 0)


def test_sharded_weights(tmp_path: Path) -> None:
    (write_bert(tmp_path) / "model.safetensors").unlink()
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {}}))
    message = f"{index} splits the weights over several files: merge them into one model.safetensors"
    with refused(UnsupportedModelError, message):
        load(tmp_path, 0)


def test_weights_cut_short(tmp_path: Path) -> None:
    path = write_bert(tmp_path) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"is not a whole safetensors file: tensor [a-z.0-9]+ lies at bytes"):
        load(tmp_path, 0)


def test_relative_positions(tmp_path: Path) -> None:
    config = write_bert(tmp_path, position_embedding_type="relative_key") / "config.json"
    message = f"{config}: position_embedding_type relative_key is not supported, only absolute"
    with refused(UnsupportedModelError, message):
        load(tmp_path, 0)
