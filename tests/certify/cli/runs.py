"""One run of the command in this process: its exit status and what it wrote."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from certify.cli import main


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


Run = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return run


def assert_refused(ran: Ran, message: str) -> None:
    """Exit status 2, nothing on stdout and exactly this one line on stderr."""
    assert (ran.status, ran.out, ran.err) == (2, "", f"certify: {message}\n")
