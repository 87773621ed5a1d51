"""What one file of the shelf `upper` holds: a theorem, the kind of input set it speaks about, and how its symbols are enclosed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Union

from .arithmetic.interval import Interval
from .situation import Situation

DomainKind = Literal["point", "ball", "layernorm"]
Value = Union[int, Interval, Sequence[Interval]]


@dataclass(frozen=True)
class Method:
    """`inputs(situation)` encloses every symbol of the theorem, keyed by its name.

    Raises NoEnclosure where a symbol overflows; the race then reports no bound with that reason.
    """

    theorem: str
    domain: DomainKind
    inputs: Callable[[Situation], Mapping[str, Value]]
