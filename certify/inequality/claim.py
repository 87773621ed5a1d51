"""A claim f >= 0 on a box, and the form that is searched: f times a positive multiplier, in bounded coordinates."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from ..errors import AttentionBoundsError
from .axis import Axis, rational
from .vanishing import vanishes


class ClaimError(AttentionBoundsError):
    """A claim does not hold together: a symbol without axis, a multiplier that may vanish, another form."""


@dataclass(frozen=True)
class Claim:
    """expr >= 0 (or > 0) wherever every symbol lies on its axis.

    `form` is multiplier * expr written in the coordinates of the axes so that it stays bounded where they stand for
    infinity; the equation is checked before anything is searched, never believed.
    """

    expr: sp.Expr
    axes: tuple[Axis, ...]
    strict: bool = False
    multiplier: sp.Expr = sp.S.One
    form: sp.Expr | None = None

    def check(self) -> None:
        """Raises ClaimError for a symbol without axis, a multiplier that may vanish, or a form of something else."""
        _check_symbols(self.expr, {axis.symbol for axis in self.axes}, "claim")
        _check_symbols(self.searched, {symbol for axis in self.axes for symbol in axis.values(axis.ends)}, "form")
        if not self._positive(self.multiplier):
            raise ClaimError(f"the multiplier {self.multiplier} is not seen to be positive: give a product of such")
        if not vanishes(self.multiplier * self.expr - self.in_symbols(self.searched), self.least):
            raise ClaimError(f"the form {self.searched} is not seen to be {self.multiplier} times the claim")

    @cached_property
    def searched(self) -> sp.Expr:
        """The form; without one, the claim with the coordinates put in, which can say nothing near infinity."""
        if self.form is not None:
            return self.form
        inserted: dict[Any, Any] = {axis.symbol: axis.inserted for axis in self.axes}
        return (self.multiplier * self.expr).subs(inserted, simultaneous=True)

    @property
    def least(self) -> dict[sp.Symbol, sp.Rational]:
        return {axis.symbol: rational(axis.least) for axis in self.axes}

    def in_symbols(self, form: sp.Expr) -> sp.Expr:
        """A form in coordinates, written in the symbols of the claim."""
        back: dict[Any, Any] = {key: value for axis in self.axes for key, value in axis.pulled_back.items()}
        return form.subs(back, simultaneous=True)

    def _positive(self, expr: sp.Expr) -> bool:
        shifts: dict[Any, Any] = {s: low + sp.Symbol(f"{s}_past", nonnegative=True) for s, low in self.least.items()}
        return bool(expr.subs(shifts).is_positive)


def _check_symbols(expr: sp.Expr, known: set[sp.Symbol], what: str) -> None:
    strange = sorted(str(symbol) for symbol in expr.free_symbols - known)
    if strange:
        raise ClaimError(f"the {what} uses {', '.join(strange)}, for which there is no axis")
