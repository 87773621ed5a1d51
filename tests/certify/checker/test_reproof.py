"""With the weights: every input and witness is proved when it is true, and refused when it is a little too good."""

import copy
import hashlib
import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certify.certificate import digest, save
from certify.checker import Refused, check
from certify.checker.head_norms import HEAD_NORMS
from certify.checker.local_norms import LOCAL_NORMS
from certify.checker.obligation import demand_all
from certify.checker.reproof import AT_INPUT, Reproof

from .conftest import Small
from .mutate import forged, refusal, set_at
from .small import Model, certificate

MODELS = (
    Model(seed=3, n=1, d=4, heads=1, k=2),
    Model(seed=4, n=5, d=3, heads=2, k=4),
    Model(seed=5, n=7, d=12, heads=3, k=4),
    Model(seed=6, n=3, d=8, heads=1, k=1),
)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_other_shapes_are_proved_in_full(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path)
    report = check(save(certificate(model), tmp_path / "c.json"), tmp_path)
    assert len(report.given) == 2  # what the model feeds, and what kind of attention it is: nothing else
    assert any(line == f"re-proved at the stored input: {model.heads + 1} witnesses" for line in report.proved)


def demand(reproof: Reproof, step: dict[str, Any]) -> None:
    """Everything that one step needs, whatever was asked before."""
    reproof.inputs.clear()
    demand_all(list(reproof.step("here", step)), side_by_side=False)


def lowered(step: dict[str, Any], symbol: str, factor: float) -> dict[str, Any]:
    changed = copy.deepcopy(step)
    upper = float.fromhex(step["inputs"][symbol]["upper"]) * factor
    changed["inputs"][symbol] = {"lower": (0.0).hex(), "upper": upper.hex()}
    return changed


@pytest.mark.parametrize("model", [Model(), MODELS[1]], ids=str)
def test_inputs_are_sharp(model: Model, tmp_path: Path) -> None:
    """True at the floating-point value times 1 + 1e-12, refused at times 1 - 1e-9, for every input of every step."""
    data = certificate(model)
    reproof = Reproof(data, model.tokens.tolist(), model.save(tmp_path))
    seen = set()
    for step in data["proof"]["steps"]:
        demand(reproof, step)
        for symbol, value in step["inputs"].items():
            if symbol in ("n", "d", "H", "L", "R"):
                continue
            seen.add(symbol)
            with pytest.raises(Refused, match=f"here.inputs.{symbol}: .* was not proved"):
                demand(reproof, lowered(step, symbol, 1 - 1e-9))
            assert isinstance(value, dict)
    assert seen == {*HEAD_NORMS, *AT_INPUT, "norm_WO"}
    assert set(LOCAL_NORMS) < AT_INPUT


def test_the_radius_is_compared_with_the_stored_tokens(small: Small, tmp_path: Path) -> None:
    steps = small.data["proof"]["steps"]
    index = next(i for i, step in enumerate(steps) if step["domain"] == "ball")
    radius = float(np.linalg.norm(small.model.tokens, axis=1).max())
    path = ("proof", "steps", index, "inputs", "R")
    low = {"lower": (0.0).hex(), "upper": (radius * (1 - 1e-9)).hex()}
    refused = refusal(forged(small.data, set_at(path, low)), tmp_path)
    assert refused is not None
    assert str(refused) == f"proof.steps[{index}].inputs.R: is below the norm of a token of the stored input"


def test_a_shown_ball_must_be_covered(small: Small, tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["heads"][0]["global"]["domain"] = {"kind": "ball", "radius": 100.0}

    refused = refusal(forged(small.data, change), tmp_path)
    assert refused is not None
    assert refused.reason == "is below the radius of a ball of which a bound is shown"


def test_without_hints_the_weights_prove_nothing(small: Small, tmp_path: Path) -> None:
    data = forged(small.data, lambda data: data["proof"].update(hints={}))
    refused = refusal(data, tmp_path, small.weights)
    assert refused is not None
    assert refused.place == "proof.hints.head-0/point/local-covariance.lam"
    assert refused.reason == "is missing: without it the step's inputs cannot be proved"


def test_a_masked_layer_is_proved_from_its_inputs_only(small: Small, tmp_path: Path) -> None:
    """The file does not hold the mask: what depends on it is taken as given, and unmasked theorems are refused."""
    unmasked = ("compact", "mean-field")

    def change(data: dict[str, Any]) -> None:
        data["proof"]["geometry"]["masked"] = True
        data["proof"]["steps"] = [
            s for s in data["proof"]["steps"] if not s["theorem"].startswith(unmasked) and s["domain"] != "layernorm"
        ]
        for part in (data, *data["heads"]):
            part["global"] = None
            part["candidates"] = [
                entry for entry in part["candidates"] if not str(entry.get("theorem")).startswith(unmasked)
            ]

    report = check(save(forged(small.data, change), tmp_path / "c.json"), small.weights)
    assert any(line.startswith("covariance_term and weighted_column of head-0/point/loc") for line in report.given)
    assert "the claim of head-0/witness, head-1/witness, layer/witness" in report.given
    assert "with a mask or an additive score" in report.given[-1]
    assert {"upper", "lower", "ratio", "heads[1].candidates[1]"} <= set(report.unproved)


def write_safetensors(path: Path, tensors: dict[str, tuple[str, list[int], bytes]]) -> None:
    """The format by hand, for dtypes that numpy does not have."""
    header, data = {}, b""
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


@pytest.mark.parametrize("dtype", ["F64", "F16", "BF16"])
def test_other_float_types_are_exact(dtype: str, tmp_path: Path) -> None:
    model = Model(seed=8)
    raws: dict[str, bytes] = {}
    for role, array in model.tensors.items():
        if dtype == "BF16":  # keep the upper half of every float32
            halves = (array.view(np.uint32) >> 16).astype("<u2")
            raws[role] = halves.tobytes()
            model.tensors[role] = (halves.astype(np.uint32) << 16).view(np.float32)
        else:
            stored = array.astype("<f2" if dtype == "F16" else "<f8")
            raws[role], model.tensors[role] = stored.tobytes(), stored.astype(np.float32)
    data = certificate(model)
    file = {f"attention.{role}": (dtype, list(model.tensors[role].shape), raw) for role, raw in raws.items()}
    write_safetensors(tmp_path / "model.safetensors", file)
    for role, raw in raws.items():
        data["proof"]["weights"][role].update(dtype=dtype, sha256=hashlib.sha256(raw).hexdigest())
    from certify.certificate import canonical

    data["object"]["weights_sha256"] = hashlib.sha256(canonical(data["proof"]["weights"])).hexdigest()
    data["digest"] = digest(data)
    assert len(check(save(data, tmp_path / "c.json"), tmp_path).given) == 2


def test_a_layer_without_output_weight_joins_with_norm_one(small: Small) -> None:
    data = forged(small.data, lambda data: data["proof"]["weights"].pop("output_weight"))
    reproof = Reproof(data, small.model.tokens.tolist(), small.weights)
    step = next(s for s in data["proof"]["steps"] if s["theorem"] == "heads-joined")
    demand(reproof, {**step, "inputs": {"norm_WO": {"lower": "0x0.0p+0", "upper": (1.0).hex()}}})
    below = {"lower": "0x0.0p+0", "upper": (1 - 2**-53).hex()}
    with pytest.raises(Refused, match="norm_WO"):
        demand(reproof, {**step, "inputs": {"norm_WO": below}})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1/0", "is not a positive fraction in lowest terms"),
        ("0", "is not a positive fraction in lowest terms"),
        ("2/6", "is not a positive fraction in lowest terms"),
        ("03", "is not a positive fraction in lowest terms"),
        ("3/1", "is not a positive fraction in lowest terms"),
        ("-1/3", "is no fraction"),
        ("nan", "is no fraction"),
        ("1e999999999", "is no fraction"),
        ("1" * 10_000, "is no fraction"),
    ],
)
def test_the_scale_is_a_positive_fraction(small: Small, tmp_path: Path, text: str, reason: str) -> None:
    data = forged(small.data, set_at(("proof", "geometry", "scale_squared"), text))
    refused = refusal(data, tmp_path)
    assert refused is not None
    assert (refused.place, reason in refused.reason) == ("proof.geometry.scale_squared", True)


def test_another_scale_is_another_layer(small: Small, tmp_path: Path) -> None:
    data = forged(small.data, set_at(("proof", "geometry", "scale_squared"), str(Fraction(1, 2))))
    assert refusal(data, tmp_path, small.weights) is not None
