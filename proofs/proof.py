"""A proof is one record: the theorem, what is meant by the letters, and numbered steps that run."""

from collections.abc import Iterator
from dataclasses import dataclass

import bounds

from .outcome import Outcome
from .steps import Below, Cites, Concludes, Open, Step


@dataclass(frozen=True)
class Proof:
    """The proof of one theorem; the last step reaches the theorem's expression, from below at least.

    Raises ValueError when the last step does nothing of the kind and does not say what is open.
    """

    theorem: str
    definitions: tuple[str, ...]
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        last = self.steps[-1] if self.steps else None
        if not isinstance(last, (Concludes, Open)) and not (isinstance(last, Below) and last.upper == self.theorem):
            raise ValueError(f"{self.theorem}: the last step concludes, or says what is open")

    def run(self) -> Iterator[tuple[Step, Outcome]]:
        """Every step with its outcome, one after the other."""
        theorem = bounds.theorem(self.theorem)
        for step in self.steps:
            yield step, step.run(theorem)

    @property
    def open_steps(self) -> tuple[str, ...]:
        """What is missing, read off without running anything."""
        return tuple(step.text for step in self.steps if isinstance(step, Open))

    @property
    def cited(self) -> tuple[str, ...]:
        return tuple(step.theorem_id for step in self.steps if isinstance(step, Cites))
