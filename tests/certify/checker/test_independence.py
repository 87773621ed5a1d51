"""The checker imports the standard library and itself, nothing else, and runs without an installation."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import certify.checker

from .conftest import Small

FOLDER = Path(certify.checker.__file__).parent


def foreign_imports(source: str) -> list[str]:
    """What a file imports besides the standard library and its own folder."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] not in sys.stdlib_module_names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found += [node.module or ""] if (node.module or "").split(".")[0] not in sys.stdlib_module_names else []
        elif isinstance(node, ast.ImportFrom) and node.level > 1:
            found.append("." * node.level + (node.module or ""))
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_only_the_standard_library(path: Path) -> None:
    assert foreign_imports(path.read_text()) == []


@pytest.mark.parametrize(
    "source", ["import numpy", "import os, sympy.core", "from certify import outcome", "from ..outcome import Bound"]
)
def test_the_test_can_fail(source: str) -> None:
    assert len(foreign_imports(source)) == 1


def test_no_import_by_other_means() -> None:
    """Only the start as a folder loads a module by name, and that name is its own."""
    for path in FOLDER.glob("*.py"):
        if path.name != "__main__.py":
            assert not {"importlib", "__import__", "exec(", "eval("} & set(path.read_text().split())


RUN = """
import runpy, sys
sys.argv = ["checker", *sys.argv[1:]]
try:
    runpy.run_path({folder!r}, run_name="__main__")
except SystemExit as end:
    foreign = {{name.split(".")[0] for name in sys.modules}} - sys.stdlib_module_names - {{"checker", "__main__"}}
    print(sorted(foreign))
    sys.exit(end.code)
"""


def bare_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python without site-packages, user folder or environment."""
    command = [sys.executable, "-I", "-S", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", check=False)


def test_it_runs_on_bare_python(small: Small) -> None:
    result = bare_python(RUN.format(folder=str(FOLDER)), str(small.path), "--weights", str(small.weights))
    assert result.stderr == ""
    assert result.returncode == 0
    assert "re-proved at the stored input: 3 witnesses" in result.stdout
    assert result.stdout.splitlines()[-1] == "[]"


def test_bare_python_has_no_numpy() -> None:
    assert "ModuleNotFoundError" in bare_python("import numpy").stderr


def test_it_runs_as_a_module(small: Small) -> None:
    command = [sys.executable, "-m", "certify.checker", str(small.path)]
    root = FOLDER.parent.parent
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=root, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("re-derived from the certificate's inputs")
