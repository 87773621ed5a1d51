"""Is a theorem proved? Read from a file that the proofs write, so that nothing has to be run to know it."""

import json
from functools import cache
from importlib.resources import files

from .theorem import Theorem


@cache
def _recorded() -> dict[str, list[str]]:
    return json.loads(files("bounds").joinpath("proof_status.json").read_text(encoding="utf-8"))["open"]


def open_steps(theorem: Theorem) -> tuple[str, ...]:
    """What is missing in the proof of a theorem, in LaTeX; nothing where it is proved."""
    return tuple(_recorded().get(theorem.id, ["there is no proof"]))


def is_proved(theorem: Theorem) -> bool:
    return not open_steps(theorem)
