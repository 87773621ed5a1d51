"""One variable of a claim and the bounded coordinate that stands for it.

A count n >= least is brought to (0, 1/least] by n = 1/v; half lines stand in half_line.py. The ends that stand for
infinity belong to the closed boxes that are searched, which only asks for more.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import sympy as sp

from ..arithmetic.arb import ARB
from ..arithmetic.interval import Interval

Ends = tuple[Fraction, Fraction]
Values = dict[sp.Symbol, "Fraction | Interval"]


def rational(value: Fraction | int) -> Any:
    """The same number for SymPy, a sp.Rational."""
    return sp.Rational(value.numerator, value.denominator)


def around(ends: Ends) -> "Fraction | Interval":
    """The doubles around both ends; a single number stays exact."""
    lower, upper = ends
    return lower if lower == upper else ARB.bounds(ARB.number(lower, upper))


class Axis(Protocol):
    """A symbol of a claim, the coordinate that stands for it, and what is linked to the coordinate."""

    @property
    def symbol(self) -> sp.Symbol: ...

    @property
    def coordinate(self) -> sp.Symbol: ...

    @property
    def least(self) -> Fraction | int:
        """The least value of the symbol."""
        ...

    @property
    def ends(self) -> Ends:
        """The ends of the coordinate."""
        ...

    def values(self, ends: Ends) -> Values:
        """Enclosures of the coordinate and of what is linked to it, over a part of the axis."""
        ...

    def at(self, coordinate: Fraction) -> Fraction | None:
        """The value of the symbol at a coordinate; None at infinity."""
        ...

    def face(self, coordinate: Fraction) -> dict[sp.Symbol, sp.Expr]:
        """Exact values of the coordinate and of what is linked to it."""
        ...

    @property
    def inserted(self) -> sp.Expr:
        """The symbol as an expression in the coordinate."""
        ...

    @property
    def pulled_back(self) -> dict[sp.Symbol, sp.Expr]:
        """The coordinate and what is linked to it as expressions in the symbol."""
        ...

    def derivative(self, form: sp.Expr) -> sp.Expr:
        """The total derivative of a form along the coordinate."""
        ...


@dataclass(frozen=True)
class Segment:
    """lower <= symbol <= upper, both finite."""

    symbol: sp.Symbol
    lower: Fraction | int
    upper: Fraction | int

    @property
    def coordinate(self) -> sp.Symbol:
        return self.symbol

    @property
    def ends(self) -> Ends:
        return Fraction(self.lower), Fraction(self.upper)

    @property
    def least(self) -> Fraction:
        return Fraction(self.lower)

    def values(self, ends: Ends) -> Values:
        return {self.symbol: around(ends)}

    def at(self, coordinate: Fraction) -> Fraction | None:
        return coordinate

    def face(self, coordinate: Fraction) -> dict[sp.Symbol, sp.Expr]:
        return {self.symbol: rational(coordinate)}

    @property
    def inserted(self) -> sp.Expr:
        return self.symbol

    @property
    def pulled_back(self) -> dict[sp.Symbol, sp.Expr]:
        return {}

    def derivative(self, form: sp.Expr) -> sp.Expr:
        return form.diff(self.symbol)


@dataclass(frozen=True)
class Inverse:
    """symbol >= least > 0; symbol = 1 / v."""

    symbol: sp.Symbol
    coordinate: sp.Symbol
    least: Fraction | int = 1

    @property
    def ends(self) -> Ends:
        return Fraction(0), 1 / Fraction(self.least)

    def values(self, ends: Ends) -> Values:
        return {self.coordinate: around(ends)}

    def at(self, coordinate: Fraction) -> Fraction | None:
        return None if coordinate == 0 else 1 / coordinate

    def face(self, coordinate: Fraction) -> dict[sp.Symbol, sp.Expr]:
        return {self.coordinate: rational(coordinate)}

    @property
    def inserted(self) -> sp.Expr:
        return 1 / self.coordinate

    @property
    def pulled_back(self) -> dict[sp.Symbol, sp.Expr]:
        return {self.coordinate: 1 / self.symbol}

    def derivative(self, form: sp.Expr) -> sp.Expr:
        return form.diff(self.coordinate)
