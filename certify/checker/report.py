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
    """What was proved again, what had to be taken as given, and which shown numbers are therefore not proved; by line.

    `unproved` holds the places of the certificate whose number rests on one that is taken as given, or is an estimate.
    Where it is empty, every number shown was proved from the weights, and `given` holds only what no file can say: what
    kind of layer the weights belong to.
    """

    proved: tuple[str, ...]
    given: tuple[str, ...]
    unproved: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """To be printed: each is one line of printable ASCII, whatever the certificate's texts hold."""
        if self.unproved:
            last = f"not proved, but resting on what is taken as given: {', '.join(self.unproved)}"
        else:
            last = "every number shown was proved from the weights, under what is taken as given"
        return tuple(map(printable, (*self.proved, *(f"taken as given: {line}" for line in self.given), last)))


def printable(text: str) -> str:
    """The text with everything but printable ASCII escaped: no text of a file can forge a line or steer a terminal."""
    return "".join(
        char if " " <= char <= "~" else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )
