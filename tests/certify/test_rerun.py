"""Deflation run again: confirmed as it stands, refused when a claim was lowered or the layer is another one."""

import copy
from pathlib import Path
from typing import Any

import pytest

from certify.certificate import digest
from certify.certify_layer import certify_layer
from certify.cli import main
from certify.errors import CertificateError
from certify.rerun import rerun
from tests.certify.tiny_bert import HEADS, TEXT, write_bert


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return write_bert(tmp_path / "bert")


def lowered(certificate: dict[str, Any]) -> dict[str, Any]:
    """The whole map's deflation a little lower, in every place that shows it, with a digest that fits."""
    changed = copy.deepcopy(certificate)
    step = next(s for s in changed["proof"]["steps"] if s["id"] == "layer/point/local-deflation")
    norm = float.fromhex(step["inputs"]["deflated_norm"]["upper"]) * (1 - 1e-6)
    step["inputs"]["deflated_norm"] = {"lower": norm.hex(), "upper": norm.hex()}
    claim = float.fromhex(step["claim"]) * (1 - 4e-7)
    step["claim"] = claim.hex()
    changed["digest"] = digest(changed)
    return changed


def test_as_it_stands(bert: Path) -> None:
    certificate = certify_layer(str(bert), text=TEXT, tokens=5).as_json()
    assert rerun(certificate, str(bert)) == HEADS + 1
    fast = certify_layer(str(bert), text=TEXT, tokens=5, tier="fast").as_json()
    assert rerun(fast, str(bert)) == 0


def test_a_lowered_claim(bert: Path) -> None:
    certificate = lowered(certify_layer(str(bert), text=TEXT, tokens=5).as_json())
    with pytest.raises(CertificateError, match=r"^layer/point/local-deflation claims .*, run again it gives "):
        rerun(certificate, str(bert))


def test_another_layer(bert: Path) -> None:
    certificate = certify_layer(str(bert), text=TEXT, tokens=5).as_json()
    certificate["object"]["layer"] = 1
    with pytest.raises(CertificateError, match="is not the tensor that the certificate is about"):
        rerun(certificate, str(bert))


def test_the_command_says_what_it_did(bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = certify_layer(str(bert), text=TEXT, tokens=5).save(tmp_path / "c.json")
    assert main(["check", str(place), "--weights", str(bert)]) == 0
    assert f"not independently: {HEADS + 1} deflation bounds" in capsys.readouterr().out
