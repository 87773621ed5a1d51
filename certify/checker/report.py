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
    """What was proved again, what had to be taken as given, and which shown numbers rest on a number taken as given.

    One line each; `resting` holds places in the certificate. Where it is empty, every number shown was proved from
    the weights, and `given` holds only what no file can say: what kind of layer the weights belong to.
    """

    proved: tuple[str, ...]
    given: tuple[str, ...]
    resting: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        if self.resting:
            last = f"not proved from the weights, as they rest on what is taken as given: {', '.join(self.resting)}"
        else:
            last = "every number shown was proved from the weights, under what is taken as given"
        return (*self.proved, *(f"taken as given: {line}" for line in self.given), last)
