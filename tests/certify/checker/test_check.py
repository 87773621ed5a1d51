"""The command: exit status, one line of reason, and a file that is read exactly as it stands."""

from pathlib import Path

import pytest

from certify.checker.check import main

from .conftest import Small


def test_exit_0_only_when_proved(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(small.path)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("re-derived from the certificate's inputs: 20 bounds")
    assert "taken as given: the certificate's own inputs of every step" in out
    assert err == ""
    assert main(["--weights", str(small.weights), str(small.path)]) == 0
    out, err = capsys.readouterr()
    assert "compared with the file by hash: 10 tensors" in out
    assert "taken as given: that the layer is softmax attention with 2 heads of size 3" in out
    assert "query_weight = attention.query_weight" in out


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (b'"seconds":0.5', b'"seconds":0.50', "refused: file: not the canonical text of its data from byte"),
        (b'"seconds":0.5', b'"seconds":NaN', "refused: file: NaN is no number: it proves nothing"),
        (b'"seconds":0.5', b'"seconds":Infinity', "refused: file: Infinity is no number: it proves nothing"),
        (b'"seconds":0.5', b'"seconds":-Infinity', "refused: file: -Infinity is no number: it proves nothing"),
        (b'"seconds":0.5', b'"seconds":1e999', "refused: file: a number is too large for a double"),
        (b'"seconds":0.5', b'"seconds":0.5,"seconds":0.5', "refused: file: the same key stands twice in one object"),
        (b'"seconds":0.5', b'"seconds": 0.5', "refused: file: not the canonical text of its data from byte"),
        (b'"seconds":0.5', b'"seconds":0.25', "refused: digest: differs from the sha256 of the content"),
    ],
)
def test_exit_1_with_the_reason(
    small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: bytes, new: bytes, line: str
) -> None:
    raw = small.path.read_bytes()
    assert raw.count(old) == 1
    path = tmp_path / "c.json"
    path.write_bytes(raw.replace(old, new))
    assert main([str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(line)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "not a JSON text"),
        (b"{", "not a JSON text"),
        (b"[]\n", "not a JSON object"),
        (b"\xff\xfe", "not a JSON text"),
        (b"[" * 100_000, "not a JSON text"),
    ],
)
def test_exit_2_for_no_certificate_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, line: str
) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    assert main([str(path)]) == 2
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_exit_2_for_a_missing_file(small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file or directory" in capsys.readouterr().err
    assert main([str(small.path), "--weights", str(tmp_path)]) == 2
    assert "model.safetensors: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["--weights"], ["--fast", "a"], ["--fast"]])
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("usage: ")
