"""The benchmarks of rigorous arithmetic run, at a tiny size, and print what they claim."""

from types import ModuleType

import pytest

from benchmarks import matrix_product, spectral_norm


@pytest.mark.parametrize("benchmark", [matrix_product, spectral_norm])
def test_benchmarks_run(benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr("sys.argv", ["benchmark", "16"])
    assert benchmark.main() == 0
    assert "ratio" in capsys.readouterr().out
