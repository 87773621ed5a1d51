"""The document of all statements and proofs, and every theorem's environment in it, goes through pdflatex."""

import shutil
import subprocess
from pathlib import Path

import pytest

import bounds
from proofs import shelf
from proofs.document import document

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex: install texlive-latex-extra"),
]


def compiled(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "main.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main.tex"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)


def test_the_document_compiles_and_fits_its_lines(tmp_path: Path) -> None:
    text = document(shelf())
    for theorem in bounds.theorems():
        assert theorem.latex() in text
    assert compiled(tmp_path, text).returncode == 0
    done = compiled(tmp_path, text)  # the second run knows the labels
    assert done.returncode == 0
    assert "undefined" not in done.stdout
    wide = [line for line in done.stdout.splitlines() if line.startswith("Overfull")]
    assert [line for line in wide if float(line.split("(")[1].split("pt")[0]) > 40] == []


def test_a_broken_formula_does_not_compile(tmp_path: Path) -> None:
    assert compiled(tmp_path, document({}).replace(r"\le", r"\lle", 1)).returncode != 0
