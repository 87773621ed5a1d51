"""A formula in indexed sums: one expression, and the letters in it that other expressions define."""

from dataclasses import dataclass
from typing import Any

import sympy as sp


class Letter(sp.IndexedBase):
    """A letter with indices; `letter[i, j]` is its entry, also where a tuple is spliced together."""

    def __getitem__(self, indices: Any, **kwargs: Any) -> sp.Indexed:
        entry = super().__getitem__(indices, **kwargs)
        assert isinstance(entry, sp.Indexed)
        return entry


@dataclass(frozen=True, eq=False)
class Definition:
    """`left := right`, for every value of the indices of `left`; a definition may call itself at smaller indices."""

    left: sp.Indexed
    right: sp.Expr

    @property
    def letter(self) -> Letter:
        return letter_of(self.left)

    @property
    def indices(self) -> tuple[sp.Basic, ...]:
        return tuple(self.left.indices)


@dataclass(frozen=True, eq=False)
class Formula:
    """A value and the definitions of its letters, in the order in which they are to be read."""

    value: sp.Expr
    where: tuple[Definition, ...] = ()

    @property
    def expressions(self) -> tuple[sp.Expr, ...]:
        return (self.value, *(definition.right for definition in self.where))


def letter_of(entry: sp.Basic) -> Letter:
    """The letter of an entry such as `X[i, u]`."""
    base = entry.args[0]
    assert isinstance(base, Letter)
    return base


def letters_in(expr: sp.Basic) -> set[Letter]:
    """Every letter with indices that stands in the expression."""
    return {letter_of(entry) for entry in expr.atoms(sp.Indexed)}
