"""What running a step gives: one word and a line of detail."""

from dataclasses import dataclass
from typing import Literal

Word = Literal["verified", "proved", "standard", "cited", "open", "FAILED"]


@dataclass(frozen=True)
class Outcome:
    """`verified`: SymPy, at the stated sizes. `proved`: ball arithmetic, on the whole domain. `standard`: a named fact
    whose hypotheses are all met in words. `cited`: another theorem here. `open` and `FAILED` prove nothing.
    """

    word: Word
    detail: str = ""

    @property
    def holds(self) -> bool:
        return self.word not in ("open", "FAILED")
