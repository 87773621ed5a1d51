"""What long work tells while it runs; whoever calls decides where it is shown."""

from collections.abc import Callable
from dataclasses import dataclass


def _nowhere(message: str) -> None:
    """The messages of a caller who does not watch."""


@dataclass(frozen=True)
class Progress:
    """`step` is told what is being done now; `note` what should stay to be read."""

    step: Callable[[str], None] = _nowhere
    note: Callable[[str], None] = _nowhere


SILENT = Progress()
