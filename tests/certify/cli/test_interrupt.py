"""Ctrl-C: exit status 130, one line, and no file that was not there before."""

from pathlib import Path

import pytest

import certify.certify_layer
from certify import atomic_file
from tests.certify.cli.runs import Run


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_while_the_bounds_are_computed(
    run: Run, bert: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certify.certify_layer, "race_head", interrupt)
    ran = run("layer", bert, "--text", text, "--tokens", 4, "--save", tmp_path / "c.json")
    assert (ran.status, ran.out, ran.err.strip()) == (130, "", "certify: interrupted, nothing was written")
    assert not (tmp_path / "c.json").exists()


def test_while_the_certificate_is_written(
    run: Run, bert: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old file stays whole, and the half-written one is removed."""
    place = tmp_path / "c.json"
    place.write_text("old")
    monkeypatch.setattr(atomic_file.os, "replace", interrupt)
    ran = run("layer", bert, "--text", text, "--tokens", 4, "--save", place)
    assert ran.status == 130
    assert place.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bert", "c.json", "text.txt"]
