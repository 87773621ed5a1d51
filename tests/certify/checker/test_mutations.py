"""No single field of a certificate can be changed to say more than is proved."""

import math
from pathlib import Path
from typing import Any

import pytest

from certify.certificate import ratio
from certify.checker import Refused

from .conftest import Small
from .mutate import Path_, branches, changed, delete_at, forged, leaves, refusal, set_at

FREE = ("method", "reason", "model", "seconds")  # words and times that carry no claim


def is_free(path: Path_) -> bool:
    """Fields that a forger may change without claiming more: names, times, and lower ends, which nothing trusts."""
    return path[-1] in FREE or path == ("object", "layer") or (path[0] == "proof" and path[-1] == "lower")


def needs_weights(path: Path_) -> bool:
    """Fields that only the model's file can contradict."""
    return path[0] == "proof" and (
        path[1] in ("weights", "hints", "geometry")
        or path[-1] == "upper"
        or (path[1] == "witnesses" and path[-1] == "claim")
    )


def test_the_certificate_itself_is_proved(small: Small, tmp_path: Path) -> None:
    assert refusal(small.data, tmp_path) is None
    assert refusal(small.data, tmp_path, small.weights) is None


def test_any_change_is_noticed_by_the_digest(small: Small, tmp_path: Path) -> None:
    for path, value in leaves(small.data):
        refused = refusal(forged(small.data, set_at(path, changed(value)), resealed=False), tmp_path)
        assert refused is not None, path
        assert refused.place == "digest", path


def test_any_change_of_a_claim_is_refused_with_a_fitting_digest(small: Small, tmp_path: Path) -> None:
    for path, value in leaves(small.data):
        if path == ("digest",) or is_free(path) or needs_weights(path):
            continue
        refused = refusal(forged(small.data, set_at(path, changed(value))), tmp_path)
        assert refused is not None, path


def test_the_model_contradicts_what_the_certificate_alone_cannot(small: Small, tmp_path: Path) -> None:
    for path, value in leaves(small.data):
        if not needs_weights(path) or is_free(path) or path[-1] == "masked" or "r" in path[-3:]:
            continue
        if isinstance(value, str) and value.startswith(
            "0x"
        ):  # inputs and hints are sharp to 1e-12, not to the last bit
            factor = 1.01 if path[1] == "witnesses" else 0.99
            value = (float.fromhex(value) * factor).hex()
        else:
            value = changed(value)
        refused = refusal(forged(small.data, set_at(path, value)), tmp_path, small.weights)
        assert refused is not None, path


def test_every_field_is_needed_and_no_other_is_known(small: Small, tmp_path: Path) -> None:
    optional = {("proof", "hints", key) for key in small.data["proof"]["hints"]}
    for path in branches(small.data):
        if path[:3] in optional or (path[:2] == ("proof", "weights") and len(path) == 3):
            continue
        refused = refusal(forged(small.data, delete_at(path), resealed=path != ("digest",)), tmp_path)
        assert refused is not None, path
    for path in {path[:-1] for path in branches(small.data)}:
        refused = refusal(forged(small.data, set_at((*path, "surprise"), 1)), tmp_path)
        assert refused is not None, path
        assert "surprise" in str(refused), path


def lowered_digits(text: str) -> list[str]:
    """Every hex text with one nonzero digit lowered by one."""
    start, end = text.index("x") + 1, text.index("p")
    lower = [
        text[:i] + format(int(text[i], 16) - 1, "x") + text[i + 1 :] for i in range(start, end) if text[i] not in ".0"
    ]
    return [other for other in lower if float.fromhex(other).hex() == other]


def replace_everywhere(data: Any, old: float, new: float) -> None:
    """The same forged number wherever the old one is shown, ratios included."""
    if isinstance(data, dict):
        if data.get("hex") == old.hex():
            data["hex"], data["value"] = new.hex(), new
        if data.get("claim") == old.hex():
            data["claim"] = new.hex()
        for item in data.values():
            replace_everywhere(item, old, new)
        if "ratio" in data and data["upper"]["value"] is not None:
            data["ratio"] = ratio(data["upper"]["value"], data["lower"]["value"])
            proved = [entry for entry in data["candidates"] if entry.get("guarantee") == "proved"]
            data["upper"] = min(proved, key=lambda entry: entry["value"])
    elif isinstance(data, list):
        for item in data:
            replace_everywhere(item, old, new)


def test_any_digit_of_any_claim_lowered_is_refused(small: Small, tmp_path: Path) -> None:
    for index, step in enumerate(small.data["proof"]["steps"]):
        old = float.fromhex(step["claim"])
        for digit in lowered_digits(step["claim"]):
            new = float.fromhex(digit)
            alone = forged(small.data, set_at(("proof", "steps", index, "claim"), digit))
            everywhere = forged(small.data, lambda data, old=old, new=new: replace_everywhere(data, old, new))
            for data in (alone, everywhere):
                refused = refusal(data, tmp_path)
                assert refused is not None, (step["id"], digit)
                assert refused.place == f"proof.steps[{index}].claim"


def test_one_unit_in_the_last_place_is_enough(small: Small, tmp_path: Path) -> None:
    for index, step in enumerate(small.data["proof"]["steps"]):
        old = float.fromhex(step["claim"])
        new = math.nextafter(old, 0.0)
        refused = refusal(forged(small.data, lambda d, old=old, new=new: replace_everywhere(d, old, new)), tmp_path)
        assert refused is not None
        assert refused.place == f"proof.steps[{index}].claim"


def test_a_witness_raised_everywhere_is_refused_with_the_weights(small: Small, tmp_path: Path) -> None:
    for index, witness in enumerate(small.data["proof"]["witnesses"]):
        old = float.fromhex(witness["claim"])
        data = forged(small.data, lambda d, old=old: replace_everywhere(d, old, old * (1 + 1e-9)))
        assert refusal(data, tmp_path) is None  # the file alone cannot tell
        refused = refusal(data, tmp_path, small.weights)
        assert refused is not None
        assert refused.place == f"proof.witnesses[{index}].claim"


@pytest.mark.parametrize(
    ("path", "value", "place", "reason"),
    [
        (("proof", "steps", 0, "theorem"), "local-magic", "proof.steps[0].theorem", "unknown theorem 'local-magic'"),
        (("upper", "guarantee"), "estimate", "upper.guarantee", "has neither step nor witness"),
        (("upper", "guarantee"), "certain", "upper.guarantee", "must be one of proved, probable, witness, estimate"),
        (("upper", "step"), "layer/point/nothing", "upper.step", "is no step of the proof"),
        (("heads", 0, "upper", "step"), "head-1/point/local-schur", "heads[0].upper.hex", "differs from the claim"),
        (("proof", "steps", 0, "claim"), "nan", "proof.steps[0].claim", "not the canonical text"),
        (("proof", "steps", 0, "claim"), "inf", "proof.steps[0].claim", "not the canonical text"),
        (("proof", "steps", 0, "claim"), "0X1.8P+3", "proof.steps[0].claim", "not the canonical text"),
        (("proof", "steps", 0, "claim"), "12", "proof.steps[0].claim", "not the canonical text"),
        (("seconds",), 1, "seconds", "must be a number with a decimal point"),
        (("object", "n"), True, "object.n", "must be a count"),
        (("domain", "kind"), "everywhere", "domain.kind", "must be one of point, ball, layernorm"),
        (("domain", "kind"), "layernorm", "upper.step", "is about another domain"),
        (("schema",), "attention-bounds/2", "schema", "must be one of attention-bounds/1"),
        (("heads", 1, "head"), 0, "heads[1].head", "is no head of this layer, or stands twice"),
        (("heads", 1, "head"), 2, "heads[1].head", "is no head of this layer, or stands twice"),
        (("proof", "geometry", "masked"), True, "proof.steps[3].theorem", "does not hold for a masked layer"),
        (("proof", "input", "shape"), [6, 4], "proof.input.shape", "is not [n, d] = [4, 6]"),
    ],
)
def test_the_reason_names_the_place(
    small: Small, tmp_path: Path, path: Path_, value: Any, place: str, reason: str
) -> None:
    refused = refusal(forged(small.data, set_at(path, value)), tmp_path)
    assert isinstance(refused, Refused)
    assert refused.place == place
    assert reason in refused.reason


def test_a_step_may_cite_earlier_steps_only(small: Small, tmp_path: Path) -> None:
    steps = small.data["proof"]["steps"]
    join = next(i for i, step in enumerate(steps) if step["theorem"] == "heads-joined")
    for cite in (steps[join]["id"], steps[-1]["id"], "nowhere"):
        data = forged(small.data, set_at(("proof", "steps", join, "inputs", "L", 0, "step"), cite))
        refused = refusal(data, tmp_path)
        assert refused is not None
        assert refused.place == f"proof.steps[{join}].inputs.L[0].step"
        assert "is not an earlier step" in refused.reason


@pytest.mark.parametrize("cite", ["head-1/point/local-covariance", "folded-head-0/point/local-covariance"])
def test_a_join_needs_the_right_head(small: Small, tmp_path: Path, cite: str) -> None:
    steps = small.data["proof"]["steps"]
    join = next(i for i, step in enumerate(steps) if step["theorem"] == "heads-joined")
    refused = refusal(forged(small.data, set_at(("proof", "steps", join, "inputs", "L", 0, "step"), cite)), tmp_path)
    assert refused is not None
    assert "does not bound head 0 on the point domain" in refused.reason


def test_the_winner_must_be_the_least(small: Small, tmp_path: Path) -> None:
    section = small.data["heads"][0]
    worst = max((e for e in section["candidates"] if e.get("guarantee") == "proved"), key=lambda e: e["value"])

    def change(data: dict[str, Any]) -> None:
        data["heads"][0]["upper"] = worst
        data["heads"][0]["ratio"] = ratio(worst["value"], section["lower"]["value"])

    refused = refusal(forged(small.data, change), tmp_path)
    assert refused is not None
    assert str(refused) == "heads[0].upper.value: is not the least of the proved candidates"


def test_a_witness_above_the_upper_bound_is_a_contradiction(small: Small, tmp_path: Path) -> None:
    old = small.data["heads"][0]["lower"]["value"]
    new = small.data["heads"][0]["upper"]["value"] * 2
    refused = refusal(forged(small.data, lambda data: replace_everywhere(data, old, new)), tmp_path)
    assert refused is not None
    assert refused.place == "heads[0].lower.value"
    assert "one of the two is wrong" in refused.reason
