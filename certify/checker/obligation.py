"""Statements that have to be proved, each with its place in the certificate and what to say where it is not proved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .parallel import all_hold
from .report import Refused


@dataclass(frozen=True)
class Obligation:
    """One statement; obligations of one `group` share costly intermediate results."""

    group: object
    place: str
    failure: str
    proved: Callable[[], bool]

    def demand(self) -> None:
        """Raises Refused where the statement is not proved."""
        if not self.proved():
            raise Refused(self.place, self.failure)


def demand_all(obligations: Sequence[Obligation], side_by_side: bool) -> None:
    """Prove all of them; for `side_by_side` on all cores, group by group.

    Raises:
        Refused: the first that is not proved.
    """
    groups: dict[object, list[Obligation]] = {}
    for obligation in obligations:
        groups.setdefault(obligation.group, []).append(obligation)
    jobs = [lambda group=group: all(obligation.proved() for obligation in group) for group in groups.values()]
    if side_by_side and all_hold(jobs):
        return
    for obligation in obligations:  # also to find the first that fails, and why
        obligation.demand()
