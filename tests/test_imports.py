"""Imports fall one way, and the light rooms stay light; each claim is seen to fail on a room that breaks it."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def loaded_by(statement: str) -> set[str]:
    """Top-level modules loaded by a statement in a fresh interpreter."""
    code = f"import sys; {statement}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import bounds", {"torch", "numpy", "scipy", "certify"}),
        ("import bounds; bounds.theorems()", {"torch", "numpy", "scipy", "certify"}),
        ("import certify", {"torch", "numpy", "scipy", "flint", "sympy"}),
        ("import certify.cli.commands as c; c.commands()", {"torch", "numpy", "scipy", "matplotlib"}),
        ("import certify.certify_layer", {"torch", "transformers", "matplotlib"}),
    ],
)
def test_light_rooms_load_nothing_heavy(statement: str, heavy: set[str]) -> None:
    assert not loaded_by(statement) & heavy


def test_the_test_above_can_fail() -> None:
    assert "numpy" in loaded_by("import certify; certify.layer")


def imported(path: Path) -> Iterator[str]:
    """Absolute names that a file imports, wherever in the file; relative ones stay inside the room."""
    depth = len(path.relative_to(ROOT).parts) - 1
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= depth, f"{path} imports from outside its room"
            if node.level == 0:
                yield node.module or ""


def files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("path", files("bounds"), ids=str)
def test_bounds_imports_nothing_of_certify(path: Path) -> None:
    rooms = {name.partition(".")[0] for name in imported(path)}
    assert not rooms & {"certify", "tests", "proofs", "numpy", "torch"}


@pytest.mark.parametrize("path", files("certify"), ids=str)
def test_certify_imports_no_tests(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imported(path)} & {"tests", "proofs", "benchmarks"}
