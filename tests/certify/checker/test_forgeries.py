"""What a forger tries: every change keeps the digest right, and none makes the checker call a false bound proved."""

import base64
import copy
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certify.certificate import canonical, digest, save
from certify.checker import check
from certify.checker.check import main

from .conftest import Small
from .mutate import forged, refusal, set_at
from .small import Model, certificate
from .test_mutations import replace_everywhere

Data = dict[str, Any]


def reseal(data: Data) -> Data:
    """The hashes over weights and over everything, right again."""
    data["object"]["weights_sha256"] = hashlib.sha256(canonical(data["proof"]["weights"])).hexdigest()
    data["digest"] = digest(data)
    return data


def swap_tensors(one: str, other: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        weights = data["proof"]["weights"]
        weights[one], weights[other] = weights[other], weights[one]

    return change


def other_hash(data: Data) -> None:
    """The right name with the hash of another tensor of the same shape."""
    weights = data["proof"]["weights"]
    weights["query_weight"]["sha256"] = weights["key_weight"]["sha256"]


def other_input(data: Data) -> None:
    n, d = data["proof"]["input"]["shape"]
    raw = (np.random.default_rng(9).standard_normal((n, d)) * 0.5).tobytes()
    sha256 = hashlib.sha256(raw).hexdigest()
    data["proof"]["input"].update(base64=base64.b64encode(raw).decode(), sha256=sha256)
    data["object"]["input_sha256"] = sha256


def other_heads(heads: int, size: int) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        data["object"]["heads"] = data["proof"]["geometry"]["heads"] = heads
        data["proof"]["geometry"]["head_size"] = size

    return change


def without(*roles: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        for role in roles:
            del data["proof"]["weights"][role]

    return change


FORGERIES: dict[str, tuple[Callable[[Data], None], str]] = {
    "hash of another tensor": (other_hash, "proof.weights.query_weight.sha256"),
    "gamma and beta swapped": (swap_tensors("norm_weight", "norm_bias"), "inputs"),
    "values from the queries": (swap_tensors("query_weight", "value_weight"), "inputs"),
    "values from the keys": (swap_tensors("key_weight", "value_weight"), "inputs"),
    "no query bias": (without("query_bias"), ""),
    "no LayerNorm": (without("norm_weight", "norm_bias"), "proof.weights: norm_weight is missing"),
    "no output weight": (without("output_weight"), "proof.weights: output_weight is missing"),
    "no values": (without("value_weight"), "proof.weights.value_weight: is missing"),
    "another input": (other_input, ""),
    "three heads": (other_heads(3, 2), "proof.steps"),
    "one head": (other_heads(1, 6), "is no head of this layer"),
    "longer heads": (other_heads(2, 4), "does not fit the layer: it needs [8"),
    "heads of no size": (other_heads(2, 0), "proof.geometry.head_size"),
    "larger scale": (set_at(("proof", "geometry", "scale_squared"), "1"), "inputs"),
    "smaller scale": (set_at(("proof", "geometry", "scale_squared"), "1/100"), ""),
    "a mask": (set_at(("proof", "geometry", "masked"), True), "does not hold for a masked layer"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_another_layer_is_not_the_one_that_was_bounded(small: Small, tmp_path: Path, name: str) -> None:
    change, reason = FORGERIES[name]
    refused = refusal(reseal(forged(small.data, change)), tmp_path, small.weights)
    assert refused is not None
    assert reason in str(refused)


def test_what_the_mask_would_allow_is_refused_without_the_mask(small: Small, tmp_path: Path) -> None:
    """A certificate of a masked layer, whose numbers are taken as given, must not pass for one of an unmasked layer."""
    index = next(i for i, s in enumerate(small.data["proof"]["steps"]) if s["id"] == "head-0/point/local-schur")
    low = {"lower": (0.0).hex(), "upper": (1e-6).hex()}
    data = forged(small.data, set_at(("proof", "steps", index, "inputs", "schur_column"), low))
    assert refusal(data, tmp_path) is None
    refused = refusal(data, tmp_path, small.weights)
    assert refused is not None
    assert refused.place == f"proof.steps[{index}].inputs.schur_column"


def only(data: Data, upper: Data, domain: Data, steps: list[Data]) -> Data:
    """A certificate that shows one upper bound of the whole map and nothing else."""
    copied = copy.deepcopy(data)
    nothing = {"value": None, "method": "none", "reason": "none"}
    copied.update(upper=upper, lower=nothing, ratio=None, candidates=[upper], heads=[], domain=domain)
    copied["global"] = None
    copied["proof"].update(steps=steps, witnesses=[], hints={})
    copied["digest"] = digest(copied)
    return copied


def shown(value: float, step: str | None, theorem: str | None, guarantee: str = "proved") -> Data:
    entry = {"value": value, "hex": value.hex(), "guarantee": guarantee, "method": "m", "theorem": theorem}
    return entry if step is None else {**entry, "step": step}


def deflation(value: float, domain: str = "point", kind: str = "layer", head: int | None = None) -> Data:
    zero = (0.0).hex()
    inputs = {"deflated_norm": {"lower": zero, "upper": zero}, "distance": {"lower": zero, "upper": value.hex()}}
    common = {"id": "tiny", "theorem": "local-deflation", "map": kind, "head": head, "domain": domain}
    return {**common, "inputs": inputs, "claim": value.hex()}


def test_a_bound_on_numbers_that_the_checker_cannot_prove_is_never_called_proved(small: Small, tmp_path: Path) -> None:
    data = only(small.data, shown(1e-9, "tiny", "local-deflation"), {"kind": "point"}, [deflation(1e-9)])
    path = save(data, tmp_path / "c.json")
    for weights in (None, small.weights):
        report = check(path, weights)
        assert report.unproved == ("upper", "candidates[0]")
        assert any("resting on what is taken as given" in line for line in report.lines)
        assert not any("every number shown was proved" in line or "proved in full" in line for line in report.lines)
    assert "deflated_norm and distance of tiny" in check(path, small.weights).given


def test_beside_it_the_least_bound_that_is_proved_is_named(small: Small, tmp_path: Path) -> None:
    def change(data: Data) -> None:
        data["proof"]["steps"].append(deflation(1e9))
        data["candidates"].append(shown(1e9, "tiny", "local-deflation"))

    report = check(save(forged(small.data, change), tmp_path / "c.json"), small.weights)
    assert report.unproved == (f"candidates[{len(small.data['candidates'])}]",)
    best = small.data["upper"]
    assert f"proved in full: the whole map, point: at most {best['value']} by {best['step']}" in report.proved


@pytest.mark.parametrize("domain", ["ball", "layernorm"])
def test_a_theorem_at_a_point_says_nothing_about_a_set(small: Small, tmp_path: Path, domain: str) -> None:
    for theorem in ("local-deflation", "local-schur", "local-covariance", "local-softmax-jacobian"):
        step = {**deflation(1e-9, domain), "theorem": theorem}
        place = {"kind": domain} if domain == "layernorm" else {"kind": domain, "radius": 1.0}
        refused = refusal(only(small.data, shown(1e-9, "tiny", theorem), place, [step]), tmp_path)
        assert refused is not None
        assert refused.reason == f"{theorem} does not speak about a {domain} domain"


@pytest.mark.parametrize(
    ("kind", "head", "reason"),
    [
        ("head", 0, "'tiny' is about another map"),
        ("folded-head", 0, "'tiny' is about another map"),
        ("head", None, "None is no head of this layer for a step about a head"),
        ("layer", 0, "0 is no head of this layer for a step about a layer"),
    ],
)
def test_a_step_about_a_head_bounds_no_layer(
    small: Small, tmp_path: Path, kind: str, head: int | None, reason: str
) -> None:
    step = deflation(1e-9, kind=kind, head=head)
    refused = refusal(only(small.data, shown(1e-9, "tiny", "local-deflation"), {"kind": "point"}, [step]), tmp_path)
    assert refused is not None
    assert refused.reason == reason


def test_a_step_about_the_layer_bounds_no_head(small: Small, tmp_path: Path) -> None:
    data = only(small.data, shown(1e-9, "tiny", "local-deflation"), {"kind": "point"}, [deflation(1e-9)])
    data["object"]["head"] = 1
    refused = refusal(reseal(data), tmp_path)
    assert refused is not None
    assert refused.reason == "'tiny' is about another map"


@pytest.mark.parametrize("guarantee", ["estimate", "probable"])
def test_an_estimate_is_never_called_proved(small: Small, tmp_path: Path, guarantee: str) -> None:
    data = only(small.data, shown(1e-9, None, None, guarantee), {"kind": "point"}, [])
    report = check(save(data, tmp_path / "c.json"), small.weights)
    assert report.unproved == ("upper", "candidates[0]")


def test_a_ball_in_the_largest_coordinate_holds_longer_tokens(small: Small, tmp_path: Path) -> None:
    """|x|_inf <= r allows |x| = r sqrt(d), which R must cover too."""
    steps = [s for s in small.data["proof"]["steps"] if s["id"] == "head-0/ball/compact-softmax"]
    R = float.fromhex(steps[0]["inputs"]["R"]["upper"])
    claim = float.fromhex(steps[0]["claim"])
    root = float(np.sqrt(small.model.d))
    for norm, radius, covered in [
        ("l2", R, True),
        ("l2", R * (1 + 1e-12), False),
        ("max-token", R, True),
        ("linf", R / root * (1 - 1e-12), True),
        ("linf", R / root * (1 + 1e-12), False),
        ("linf", R, False),
    ]:
        domain = {"kind": "ball", "radius": radius, "norm": norm}
        data = only(small.data, shown(claim, steps[0]["id"], "compact-softmax"), domain, steps)
        data["object"]["head"] = 0
        refused = refusal(reseal(data), tmp_path)
        assert (refused is None) == covered, (norm, radius, refused)


def test_without_weights_the_output_says_what_is_assumed(
    small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """False inputs cannot be seen without the weights: nothing may then be called proved without that proviso."""
    index = next(i for i, s in enumerate(small.data["proof"]["steps"]) if s["id"] == "layer/point/local-schur")
    tiny, low = 2.0**-20, {"lower": (0.0).hex(), "upper": (2.0**-40).hex()}

    def change(data: Data) -> None:
        data["proof"]["steps"][index]["inputs"]["schur_column"] = low
        replace_everywhere(data, float.fromhex(data["proof"]["steps"][index]["claim"]), tiny)
        data["lower"] = {"value": None, "method": "none", "reason": "none"}
        data["candidates"] = [entry for entry in data["candidates"] if entry.get("guarantee") != "witness"]
        data["ratio"] = None

    path = save(forged(small.data, change), tmp_path / "c.json")
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert "taken as given: the certificate's own inputs of every step" in out
    assert "not proved, but resting on what is taken as given: upper, " in out
    assert main([str(path), "--weights", str(small.weights)]) == 1
    assert capsys.readouterr().err.startswith(f"refused: proof.steps[{index}].inputs.schur_column: ")


def test_a_certificate_of_one_head_alone(small: Small, tmp_path: Path) -> None:
    """With object.head, the top shows that head; heads of the list that are not there are not missed."""
    head = small.data["heads"][1]

    def change(data: Data) -> None:
        data["object"]["head"] = 1
        for key in ("upper", "lower", "ratio", "candidates", "global"):
            data[key] = head[key]
        data["heads"] = []

    data = forged(small.data, change)
    report = check(save(data, tmp_path / "c.json"), small.weights)
    assert report.unproved == ()
    assert (
        f"proved in full: head 1, point: at most {head['upper']['value']} by {head['upper']['step']}" in report.proved
    )
    refused = refusal(forged(data, set_at(("object", "head"), 0)), tmp_path)
    assert refused is not None
    assert refused.reason.endswith("is about another map")


def test_the_fast_tiers_shape(small: Small, tmp_path: Path) -> None:
    """No global part, no witness of a head, fewer candidates: all of that is allowed."""

    def change(data: Data) -> None:
        for part in (data, *data["heads"]):
            part["global"] = None
            part["candidates"] = [part["upper"], part["lower"]]

    assert check(save(forged(small.data, change), tmp_path / "c.json"), small.weights).unproved == ()


def test_swapped_heads_are_noticed(small: Small, tmp_path: Path) -> None:
    def numbers(data: Data) -> None:
        data["heads"][0]["head"], data["heads"][1]["head"] = 1, 0

    def steps(data: Data) -> None:
        for step in data["proof"]["steps"]:
            if step["map"] != "layer":
                step["head"] = 1 - step["head"]

    for change in (numbers, steps):
        assert refusal(forged(small.data, change), tmp_path, small.weights) is not None


def test_a_model_that_differs_in_one_bit_is_another_model(tmp_path: Path) -> None:
    model, path = Model(seed=11), tmp_path / "c.json"
    save(certificate(model), path)
    name = "value_weight"
    array = model.tensors[name].copy()
    array[0, 0] = np.nextafter(array[0, 0], np.float32(9))
    model.tensors[name] = array
    model.save(tmp_path)
    assert main([str(path), "--weights", str(tmp_path)]) == 1
