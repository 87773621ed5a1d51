"""The checker imports the standard library and itself, nothing else, and runs without an installation."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import certify.checker
from certify.certificate import save

from .conftest import Small
from .mutate import forged, set_at

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


DYNAMIC = {"importlib", "runpy", "ctypes", "subprocess", "__import__", "exec", "eval", "compile"}


def dynamic_imports(source: str) -> set[str]:
    """The ways a file has to run what no import statement shows."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {(node.module or "").split(".")[0], *(alias.name for alias in node.names)}
    return names & DYNAMIC


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_no_import_by_other_means(path: Path) -> None:
    """Only the start as a folder loads a module by name, and that name is its own."""
    assert dynamic_imports(path.read_text()) == ({"importlib"} if path.name == "__main__.py" else set())


@pytest.mark.parametrize(
    "source", ["x = eval('1')", "import importlib.util", "from runpy import x", "__import__('os')"]
)
def test_that_test_can_fail(source: str) -> None:
    assert len(dynamic_imports(source)) == 1


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


def test_the_folder_and_its_terms_are_all_it_needs(small: Small, tmp_path: Path) -> None:
    """A copy of the folder elsewhere, run by its path on bare Python: nothing else of certify is in reach."""
    shutil.copytree(FOLDER, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(FOLDER.parent / "theorem_terms.json", tmp_path)
    refused = forged(small.data, set_at(("seconds",), 0.25), resealed=False)
    for arguments, status, reason in [
        ([str(small.path)], 0, ""),
        ([str(small.path), "--weights", str(small.weights)], 0, ""),
        ([str(save(refused, tmp_path / "refused.json"))], 1, "refused: digest: "),
        ([str(tmp_path / "none.json")], 2, "unreadable: "),
        ([], 2, "usage: "),
    ]:
        command = [sys.executable, "-I", "-S", "-W", "error", str(tmp_path / "checker"), *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", check=False)
        assert (result.returncode, result.stderr[: len(reason)]) == (status, reason), result
        assert (result.stderr == "") == (status == 0)
        assert (result.stdout == "") == (status != 0)


def test_a_foreign_module_of_the_same_name_is_not_taken(small: Small, tmp_path: Path) -> None:
    """Neither the working folder nor the environment can slip in another `json` or `checker`."""
    for name in ("json", "checker", "hashlib", "fractions"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(77)")
    command = [sys.executable, "-I", str(FOLDER), str(small.path)]
    environment = {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=60, cwd=tmp_path, env=environment, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_it_runs_as_a_module(small: Small) -> None:
    command = [sys.executable, "-m", "certify.checker", str(small.path)]
    root = FOLDER.parent.parent
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=root, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("re-derived from the certificate's inputs")
