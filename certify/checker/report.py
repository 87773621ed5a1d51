"""What a check can end in: a report, a refusal that names the place, or a file that cannot be read."""

from dataclasses import dataclass


class Refused(Exception):
    """The certificate does not prove what it shows; `place` is the path of the offending entry."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class Unreadable(Exception):
    """A file is missing or is not of its format at all."""


@dataclass(frozen=True)
class Report:
    """What was proved again, and what had to be taken as given; one line each."""

    proved: tuple[str, ...]
    given: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        return self.proved + tuple(f"taken as given: {line}" for line in self.given)
