"""Heads that share keys and values: the same as repeating them, as in torch, and proved again from what they share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certify
from certify import certify_layer as module
from certify.attention_layer import Array, AttentionLayer, TensorSource
from certify.bert_weights import layer_from_square
from certify.checker import Refused, check
from certify.errors import ModelError
from certify.grouped_heads import shared
from certify.loaded_layer import LoadedLayer
from certify.outcome import Bound
from certify.safetensors_file import open_safetensors
from tests.certify.checker.mutate import forged, set_at
from tests.certify.layers import dense_jacobian
from tests.certify.refusal import refused
from tests.certify.tiny_bert import write_safetensors

HEADS, SIZE, WIDTH = 4, 3, 12


def tensors(groups: int) -> dict[str, Any]:
    rng = np.random.default_rng(groups)
    shapes = {"query": (12, 12), "key": (groups * SIZE, 12), "value": (groups * SIZE, 12), "output": (12, 12)}
    found = {f"{role}_weight": rng.normal(size=shape).astype(np.float32) for role, shape in shapes.items()}
    return found | {f"{role}_bias": rng.normal(size=shape[0]).astype(np.float32) for role, shape in shapes.items()}


def layer(groups: int, sources: Mapping[str, TensorSource] | None = None) -> AttentionLayer:
    arrays = {name: values.astype(np.float64) for name, values in tensors(groups).items()}
    return layer_from_square(arrays, HEADS, sources or {}, kv_heads=groups)


def repeated(groups: int) -> AttentionLayer:
    """The same with every group's keys and values written out for each of its heads."""
    arrays = {name: values.astype(np.float64) for name, values in tensors(groups).items()}
    for role in ("key", "value"):
        for part in ("weight", "bias"):
            by_group = np.split(arrays[f"{role}_{part}"], groups)
            arrays[f"{role}_{part}"] = np.concatenate([by_group[h * groups // HEADS] for h in range(HEADS)])
    return layer_from_square(arrays, HEADS, {})


def tokens() -> Array:
    return np.random.default_rng(9).standard_normal((4, WIDTH))


def certified(attention: AttentionLayer, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(module, "load", lambda model, index: LoadedLayer("grouped", attention))
    return certify.layer("grouped", tokens())


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_the_same_as_repeating_them(groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = certified(layer(groups), monkeypatch), certified(repeated(groups), monkeypatch)
    assert isinstance(a.upper, Bound)
    assert (a.upper, a.lower) == (b.upper, b.lower)
    norm = np.linalg.norm(dense_jacobian(repeated(groups), tokens()), 2)
    assert a.lower.value <= norm * (1 + 1e-12)
    assert norm * (1 - 1e-12) <= a.upper.value <= norm * (1 + 1e-6)


@pytest.mark.parametrize("groups", [1, 2])
def test_the_same_as_torchs_grouped_queries(groups: int) -> None:
    torch = pytest.importorskip("torch")
    part = {name: torch.tensor(values).double() for name, values in tensors(groups).items()}

    def f(x):
        q, k, v = (
            (x @ part[f"{role}_weight"].T + part[f"{role}_bias"]).reshape(len(x), -1, SIZE).transpose(0, 1)
            for role in ("query", "key", "value")
        )
        o = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], enable_gqa=True)[0]
        return o.transpose(0, 1).reshape(len(x), -1) @ part["output_weight"].T + part["output_bias"]

    J = torch.autograd.functional.jacobian(f, torch.tensor(tokens())).reshape(48, 48).numpy()
    assert dense_jacobian(layer(groups), tokens()) == pytest.approx(J, abs=1e-11)


@pytest.mark.parametrize("groups", [1, 2])
def test_proved_again_from_the_shared_tensors(groups: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "model.safetensors"
    write_safetensors(weights, tensors(groups))
    file = open_safetensors(weights)
    sources = {name: file.read(name, values.shape)[1] for name, values in tensors(groups).items()}
    found = certified(layer(groups, sources), monkeypatch)
    report = check(found.save(tmp_path / "c.json"), weights)
    assert f"4 heads of size 3 that share {groups} keys and values" in report.given[-1]
    assert "re-proved at the stored input: 5 witnesses" in report.proved
    for other in (0, 3, 4 if groups == 2 else 2):
        data = forged(found.as_json(), set_at(("proof", "geometry", "kv_heads"), other))
        with pytest.raises(Refused, match=r"cannot share|does not fit the layer"):
            check(certify_save(data, tmp_path), weights)


def certify_save(data: dict[str, Any], folder: Path) -> Path:
    from certify.certificate import save

    return save(data, folder / "forged.json")


def test_a_number_that_does_not_divide() -> None:
    with refused(ModelError, "4 heads cannot share 3 keys and values: the number must divide theirs"):
        shared(np.ones((3, 2)), 4)
