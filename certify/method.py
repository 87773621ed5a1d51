"""What one file of the shelf `upper` holds: a theorem, the kind of set it is about, how its symbols are enclosed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .arithmetic.interval import Interval
from .attention_layer import Array
from .situation import Situation

DomainKind = Literal["point", "ball", "layernorm"]
Tier = Literal["fast", "tight", "exact", "probable"]
Value = int | Interval | Sequence[Interval]


@dataclass(frozen=True)
class Enclosed:
    """Every symbol of a theorem by name, enclosed; and what saves a checker the search for the same numbers."""

    values: Mapping[str, Value]
    hints: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True)
class Method:
    """`enclosed(situation)` encloses every symbol of the theorem.

    Raises NoEnclosure where a symbol overflows; the race then reports no bound with that reason.
    """

    theorem: str
    domain: DomainKind
    enclosed: Callable[[Situation], Enclosed]
    tier: Tier = "fast"  # methods of this tier run in every tier, those of another one only there
    costly: bool = False  # left out of the tier probable, which is for inputs that are too long for it

    def runs_in(self, tier: Tier) -> bool:
        """Whether this method is tried in that tier."""
        return self.tier in ("fast", tier) and not (self.costly and tier == "probable")
