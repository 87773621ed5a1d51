"""The certificate file is written whole or not at all, holds finite numbers only, and is read back as it was."""

import json
import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certify import certificate as c
from certify.arithmetic.interval import Interval
from certify.certificate import Cite, Proof, Step, Witness
from certify.errors import CertificateError
from certify.outcome import Bound, Guarantee, NoBound

BOUNDS: dict[str, Any] = {"object": {"model": "m"}, "seconds": 0.5}


def proof(**changes: Any) -> Proof:
    plain: dict[str, Any] = {
        "steps": [Step("s", "t", "head", 0, "point", {"n": 2, "R": Interval(1.0, 2.0), "L": [Cite("q")]}, 3.0)],
        "witnesses": [Witness("w", None, np.eye(2), 0.5)],
        "input": np.ones((2, 2)),
        "weights": {"query_weight": c.StoredTensor("q", "F32", (2, 2), "0" * 64)},
        "heads": 1,
        "head_size": 2,
        "scale_squared": Fraction(1, 2),
    }
    return Proof(**{**plain, **changes})


def test_build() -> None:
    data = c.build(BOUNDS, proof())
    assert data["digest"] == c.digest(data)
    assert data["object"]["input_sha256"] == data["proof"]["input"]["sha256"]
    step = data["proof"]["steps"][0]
    assert step["inputs"] == {
        "n": 2,
        "R": {"lower": "0x1.0000000000000p+0", "upper": "0x1.0000000000000p+1"},
        "L": [{"step": "q"}],
    }
    assert data["proof"]["geometry"] == {"heads": 1, "head_size": 2, "scale_squared": "1/2", "masked": False}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_no_number_that_is_not_finite(bad: float) -> None:
    with pytest.raises(CertificateError, match="a certificate holds finite numbers only"):
        c.build({**BOUNDS, "seconds": bad}, proof())
    with pytest.raises(CertificateError, match="a certificate holds finite numbers only"):
        c.build(BOUNDS, proof(witnesses=[Witness("w", None, np.eye(2), bad)]))
    with pytest.raises(CertificateError, match="not an array with nan or infinity"):
        c.build(BOUNDS, proof(input=np.full((2, 2), bad)))


def test_hints_must_be_exact() -> None:
    data = c.build(BOUNDS, proof(hints={"s": {"lam": np.array([1.0]), "r": np.array([[0.5]])}}))
    hints = data["proof"]["hints"]["s"]
    assert hints["lam"] == [(1.0).hex()]
    assert (hints["r"]["dtype"], hints["r"]["shape"]) == ("<f4", [1, 1])
    with pytest.raises(CertificateError, match="does not fit <f4 exactly"):
        c.build(BOUNDS, proof(hints={"s": {"r": np.array([[0.1]])}}))


def test_shown() -> None:
    bound = Bound(1.5, "upper", Guarantee.PROVED, "m", "t")
    assert c.shown(bound, step="s") == {**bound.as_json(), "step": "s"}
    assert c.shown(NoBound("upper", "m", "why")) == {"value": None, "method": "m", "reason": "why"}


@pytest.mark.parametrize(
    ("upper", "lower"), [(1.0, 3.0), (3.0, 1.0), (0.1, 0.3), (1e300, 1e-7), (5e-324, 1.0), (0.0, 1.0)]
)
def test_ratio_is_the_least_double_above(upper: float, lower: float) -> None:
    found = c.ratio(upper, lower)
    assert found is not None
    exact = Fraction(upper) / Fraction(lower)
    assert Fraction(math.nextafter(found, -math.inf)) < exact <= Fraction(found)


@pytest.mark.parametrize(
    ("upper", "lower"), [(1.0, 0.0), (1e308, 1e-308), (math.inf, 1.0), (math.nan, 1.0), (1.0, math.nan)]
)
def test_no_ratio(upper: float, lower: float) -> None:
    assert c.ratio(upper, lower) is None


def test_save_and_load(tmp_path: Path) -> None:
    data = c.build(BOUNDS, proof())
    path = c.save(data, tmp_path / "c.json")
    assert c.load(path) == data
    assert path.read_bytes() == c.canonical(data) + b"\n"
    assert os.listdir(tmp_path) == ["c.json"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "is not JSON"),
        (b"[]", "is not a certificate of schema attention-bounds/1"),
        (b'{"schema":"other"}', "is not a certificate of schema attention-bounds/1"),
        (b'{"schema":"attention-bounds/1","digest":"0"}', "the digest differs from the content"),
    ],
)
def test_load_refuses(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(CertificateError, match=reason):
        c.load(path)
    with pytest.raises(CertificateError, match=r"cannot read .*none\.json: No such file"):
        c.load(tmp_path / "none.json")


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"cannot write .*: No such file or directory; choose another place"):
        c.save({}, tmp_path / "no" / "c.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CertificateError, match=r"cannot write .*folder: Is a directory"):
        c.save({}, tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]


def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.json"
    path.write_text("old")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        c.save(json.loads("{}"), path)
    assert os.listdir(tmp_path) == ["c.json"]
    assert path.read_text() == "old"
