"""Rotary positions and cross-attention through the front door: what is said, saved, checked and refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certify
from certify.certificate import save
from certify.checker import Refused, check
from certify.cli import main
from certify.errors import InputError, UnsupportedModelError
from certify.outcome import Bound, Guarantee
from tests.certify.checker.mutate import changed, forged, leaves, set_at
from tests.certify.explicit.small_pairs import random_pair
from tests.certify.refusal import refused
from tests.certify.tiny_bert import TEXT, write_bert

torch = pytest.importorskip("torch")


def attention(**options: Any) -> Any:
    torch.manual_seed(1)
    return torch.nn.MultiheadAttention(6, 2, batch_first=True, **options).double()


def inputs() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.standard_normal((3, 6)), rng.standard_normal((4, 5))


def assert_encloses(found: Any, norm: float) -> None:
    assert isinstance(found.upper, Bound)
    assert found.upper.guarantee is Guarantee.PROVED
    assert found.lower.guarantee is Guarantee.WITNESS
    assert found.lower.value <= norm * (1 + 1e-11)
    assert norm * (1 - 1e-11) <= found.upper.value <= norm * (1 + 1e-6)


@pytest.mark.parametrize("tier", ["tight", "exact"])
@pytest.mark.parametrize("moved", ["x", "y", "pair"])
def test_cross_attention_of_torch(moved: Any, tier: Any) -> None:
    module, (X, Y) = attention(kdim=5, vdim=5), inputs()
    x, y = torch.tensor(X), torch.tensor(Y)
    J_x, J_y = torch.autograd.functional.jacobian(lambda x, y: module(x[None], y[None], y[None])[0][0], (x, y))
    J_x, J_y = J_x.reshape(18, 18), J_y.reshape(18, 20)
    J = {"x": J_x, "y": J_y, "pair": torch.cat([J_x, J_y], 1)}[moved]
    found = certify.cross(module, x, Y, inputs=moved, tier=tier)
    assert_encloses(found, float(torch.linalg.matrix_norm(J, 2)))
    words = {"x": "x", "y": "y", "pair": "the pair of x and y"}[moved]
    text = " ".join(found.table().split())
    assert f"queries from x, keys and values from y; its derivative is in {words}." in text


def test_self_attention_is_cross_attention_with_itself_moved_together() -> None:
    """|J_x + J_y| <= sqrt(2) |[J_x J_y]|."""
    X = inputs()[0]
    own, both = certify.layer(attention(), X), certify.cross(attention(), X, X)
    assert isinstance(both.upper, Bound)
    assert own.lower.value <= np.sqrt(2) * both.upper.value


def test_rotary_of_a_file_and_its_certificate(tmp_path: Path) -> None:
    bert = write_bert(tmp_path / "bert")
    rotary = certify.Rotary.of_angles(4, 4)
    plain = certify.layer(str(bert), text=TEXT, tokens=4)
    for block in (None, "residual", "post-norm"):
        found = certify.layer(str(bert), text=TEXT, tokens=4, rotary=rotary, block=block)
        assert isinstance(found.upper, Bound)
        assert isinstance(plain.upper, Bound)
        assert abs(found.upper.value - plain.upper.value) > 1e-3
        assert found.ratio is not None
        assert found.ratio < 1 + 1e-6
        assert "rotary positions, made of the true cosines and sines of position * 10000" in " ".join(
            found.table().split()
        )
        place = found.save(tmp_path / "c.json")
        report = check(place, bert)
        assert report.unproved == ("upper", "lower", "candidates[0]", "ratio")
        assert any("rotary positions in the layout half made of the true cosines" in line for line in report.given)
        assert main(["check", str(place), "--weights", str(bert)]) == 0


def document(tmp_path: Path, kind: str) -> dict[str, Any]:
    if kind == "rotary":
        bert = write_bert(tmp_path / "bert")
        return certify.layer(str(bert), text=TEXT, tokens=4, rotary=certify.Rotary.of_angles(4, 4)).as_json()
    X, Y = inputs()
    return certify.cross(attention(kdim=5, vdim=5), X, Y, inputs="y" if kind == "in y" else "pair").as_json()


FREE = {"method", "reason", "model", "seconds", "lower", "statement", "masked", "scale_squared", "tensor", "dtype"}


@pytest.mark.parametrize("kind", ["rotary", "in y", "pair"])
def test_forgeries(kind: str, tmp_path: Path) -> None:
    """Every leaf that is not free text is refused when changed, without any weights at hand."""
    data, place = document(tmp_path, kind), tmp_path / "c.json"
    check(save(data, place))
    given = ("upper", "claim")  # with the weights absent these are the certificate's own
    for path, value in leaves(data):
        if path == ("digest",) or FREE & {path[-1]} or path == ("object", "layer"):
            continue
        if path[:1] == ("proof",) and (path[-1] in given or path[2:3] == ("head_size",)):
            continue
        if path[-2:-1] == ("rotary",) and path[-1] == "sha256":
            continue  # of a table that no file holds: told among what is taken as given
        if path[:3] == ("proof", "geometry", "written_out") and value is None:
            continue
        try:
            check(save(forged(data, set_at(path, changed(value))), place))
        except Refused:
            continue
        pytest.fail(f"accepted: {path} = {changed(value)}")


def refusals() -> dict[str, tuple[str, Any, str]]:
    def drop_context(data: dict[str, Any]) -> None:
        del data["proof"]["context"]

    def drop_written(data: dict[str, Any]) -> None:
        del data["proof"]["geometry"]["written_out"], data["proof"]["context"]

    def around(data: dict[str, Any]) -> None:
        data["proof"]["geometry"]["around"] = {"kind": "residual", "norm": None, "eps": None}
        data["object"]["block"] = "residual"

    written = ("proof", "geometry", "written_out")
    return {
        "no context": ("pair", drop_context, r"^proof.context: belongs to cross-attention"),
        "not written out": ("pair", drop_written, r"^proof.steps\[0\].map: a written-out is not what this certificate"),
        "a block": ("pair", around, r"^proof.geometry.around: stands around self-attention only$"),
        "neither": ("rotary", set_at((*written, "rotary"), None), r"^proof.geometry.written_out: is neither rotary"),
        "other inputs": ("pair", set_at((*written, "inputs"), "z"), r"^proof.geometry.written_out.inputs: must be one"),
        "inputs": ("pair", set_at((*written, "inputs"), "y"), r"^proof.witnesses\[0\].direction.shape: "),
        "theorem": ("pair", set_at(("proof", "steps", 0, "theorem"), "sublayer-deflation"), r"^proof.steps\[0\].map: "),
        "map": ("pair", set_at(("proof", "steps", 0, "map"), "layer"), r"^proof.steps\[0\].map: "),
        "layout": (
            "rotary",
            set_at((*written, "rotary", "layout"), "odd"),
            r"^proof.geometry.written_out.rotary",
        ),
    }


@pytest.mark.parametrize("name", refusals())
def test_refused_certificates(name: str, tmp_path: Path) -> None:
    kind, change, words = refusals()[name]
    with pytest.raises(Refused, match=words):
        check(save(forged(document(tmp_path, kind), change), tmp_path / "c.json"))


def test_refusals() -> None:
    X, Y = inputs()
    rotary = certify.Rotary.of_angles(2, 2)
    with refused(InputError, "X has 3 tokens, the rotary table 2 positions"):
        certify.layer(attention(), X, rotary=rotary)
    with refused(InputError, "head 0 alone is not bounded with rotary positions: leave out the head"):
        certify.layer(attention(), X, rotary=rotary, head=0)
    message = "the tier fast does not speak of rotary self-attention: take the tier tight or exact"
    with refused(InputError, message):
        certify.layer(attention(), X, rotary=certify.Rotary.of_angles(3, 2), tier="fast")
    with refused(InputError, "the Jacobian is taken in x, in y or in the pair of both, not in 'both'"):
        certify.cross(attention(kdim=5, vdim=5), X, Y, inputs="both")  # type: ignore[arg-type]
    with refused(InputError, "y has dtype int64: give float16, float32 or float64"):
        certify.cross(attention(kdim=5, vdim=5), X, np.ones((4, 5), dtype=int))
    with refused(InputError, "Y is float64 of shape (3, 6): expected float64 of shape (n, 5), n >= 1"):
        certify.cross(attention(kdim=5, vdim=5), X, X)
    with refused(UnsupportedModelError, "MultiheadAttention with kdim=5 and vdim=4 reads two inputs beside x"):
        certify.cross(attention(kdim=5, vdim=4), X, Y)
    message = (
        "torch.nn.modules.linear.Linear is no cross-attention that is supported: accepted are a "
        "torch.nn.MultiheadAttention and an AttentionPair of arrays"
    )
    with refused(UnsupportedModelError, message):
        certify.cross(torch.nn.Linear(2, 2), X, Y)


def test_arrays_with_rotations_and_a_mask() -> None:
    """Cross-attention of a pair may be rotated, too, and hide tokens."""
    rng = np.random.default_rng(3)
    mask = np.where(rng.random((3, 4)) < 0.4, -np.inf, 0.0)
    pair = random_pair(3, d=6, d_y=5, rotary=certify.Rotary.of_angles(4, 4), score_bias=mask)
    X, Y = inputs()
    found = certify.cross(pair, X, Y)
    assert found.ratio is not None
    assert found.ratio < 1 + 1e-6
    other = certify.cross(replace(pair, score_bias=None), X, Y)
    assert isinstance(found.upper, Bound)
    assert isinstance(other.upper, Bound)
    assert found.upper.value != pytest.approx(other.upper.value, rel=1e-6)
