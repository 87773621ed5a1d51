import hashlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from certify.bert_config import bert_config
from certify.bert_weights import BertWeights, layer_from_square
from certify.safetensors_file import open_safetensors
from tests.certify.tiny_bert import HEADS, WIDTH, Arrays, random_arrays, raw_bytes, write_bert


def weights(folder: Path) -> BertWeights:
    return BertWeights(open_safetensors(folder / "model.safetensors"), bert_config(folder))


def old_spelling(arrays: Arrays) -> None:
    for name in [name for name in arrays if "LayerNorm" in name]:
        arrays[name.replace("weight", "gamma").replace("bias", "beta")] = arrays.pop(name)


@pytest.mark.parametrize("prefix", ["", "bert."])
@pytest.mark.parametrize("layer", [0, 1])
def test_every_array_is_the_tensor_of_its_name_and_hash(tmp_path: Path, prefix: str, layer: int) -> None:
    arrays = random_arrays()
    attention = weights(write_bert(tmp_path, prefix=prefix)).attention(layer)
    parts = {"query": "self.query", "key": "self.key", "value": "self.value", "output": "output.dense"}
    for role, part in parts.items():
        for kind in ("weight", "bias"):
            name = f"encoder.layer.{layer}.attention.{part}.{kind}"
            got, source = getattr(attention, f"{role}_{kind}"), attention.sources[f"{role}_{kind}"]
            assert (got.ravel() == arrays[name].ravel()).all()
            assert source.tensor == prefix + name
            assert source.sha256 == hashlib.sha256(raw_bytes(arrays[name], "F32")).hexdigest()
    assert len(attention.sources) == 8


@pytest.mark.parametrize("change", [lambda arrays: None, old_spelling])
@pytest.mark.parametrize(("layer", "before"), [(0, "embeddings.LayerNorm"), (1, "encoder.layer.0.output.LayerNorm")])
def test_the_norm_before_a_layer(tmp_path: Path, layer: int, before: str, change) -> None:
    image, sources = weights(write_bert(tmp_path, change=change)).norm_before(layer)
    arrays = random_arrays()
    assert (image.gamma == arrays[f"{before}.weight"]).all()
    assert (image.beta == arrays[f"{before}.bias"]).all()
    assert set(sources) == {"norm_weight", "norm_bias"}
    assert sources["norm_weight"].tensor.startswith(before)


def test_absent_biases_are_zero_and_an_absent_output_stays_absent() -> None:
    W = np.random.default_rng(0).normal(size=(WIDTH, WIDTH))
    layer = layer_from_square({"query_weight": W, "key_weight": W, "value_weight": W}, HEADS, {})
    assert not np.any([layer.query_bias, layer.key_bias, layer.value_bias])
    assert layer.output_weight is None
    assert layer.output_bias is None
    assert layer.scale_squared == Fraction(1, 4)
    assert (layer.value_weight[1] == W[4:8]).all()
