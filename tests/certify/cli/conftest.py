from pathlib import Path

import pytest

from tests.certify.cli.runs import Run, runner
from tests.certify.tiny_bert import write_bert


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return write_bert(tmp_path / "bert")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("Down the rabbit-hole, down the holes")
    return path
