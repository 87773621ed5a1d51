"""A half line x >= least, brought to [0, 1) by x = least + u / (1 - u), with the decays that go along with it.

No polynomial in u expresses exp(-x). So the functions exp(-(x - least)) / (1 - u)^k come along as symbols of their own;
they tend to 0 as u tends to 1, with all their derivatives, and their ranges are known exactly.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp

from ..arithmetic.arb import ARB
from ..arithmetic.interval import Interval
from .axis import Ends, Values, around, rational

DECAYS = 9  # four derivatives raise the index by two each


@dataclass(frozen=True)
class HalfLine:
    """symbol >= least; symbol = least + u / (1 - u), and decay k is exp(-(symbol - least)) / (1 - u)^k.

    With t = 1 / (1 - u) = 1 + symbol - least, decay k is t^k exp(1 - t), which decreases for t >= k and tends to 0; its
    derivative along u is k times decay k + 1 less decay k + 2.
    """

    symbol: sp.Symbol
    coordinate: sp.Symbol
    decay: sp.Symbol
    least: Fraction | int = 0

    @property
    def ends(self) -> Ends:
        return Fraction(0), Fraction(1)

    @cached_property
    def decays(self) -> tuple[sp.Symbol, ...]:
        """Decay k for k = 0, 1, ...; the first is `decay` itself."""
        return (self.decay, *(sp.Symbol(f"{self.decay}_{k}", real=True) for k in range(1, DECAYS)))

    def values(self, ends: Ends) -> Values:
        enclosed = _decays_between(ends, len(self.decays))
        return {self.coordinate: around(ends), **dict(zip(self.decays, enclosed, strict=True))}

    def at(self, coordinate: Fraction) -> Fraction | None:
        return None if coordinate == 1 else self.least + coordinate / (1 - coordinate)

    def face(self, coordinate: Fraction) -> dict[sp.Symbol, sp.Expr]:
        u = rational(coordinate)
        values: dict[sp.Symbol, Any] = {self.coordinate: u}
        for k, decay in enumerate(self.decays):
            values[decay] = sp.S.Zero if u == 1 else sp.exp(-u / (1 - u)) / (1 - u) ** k
        return values

    @property
    def inserted(self) -> sp.Expr:
        return rational(self.least) + self.coordinate / (1 - self.coordinate)

    @property
    def pulled_back(self) -> dict[sp.Symbol, sp.Expr]:
        past: Any = self.symbol - rational(self.least)
        values: dict[sp.Symbol, Any] = {self.coordinate: past / (1 + past)}
        for k, decay in enumerate(self.decays):
            values[decay] = sp.exp(-past) * (1 + past) ** k
        return values

    def derivative(self, form: sp.Expr) -> sp.Expr:
        return form.diff(self.coordinate) + sum(
            form.diff(decay) * (k * self._decay(k + 1) - self._decay(k + 2))
            for k, decay in enumerate(self.decays)
            if form.has(decay)
        )

    def _decay(self, k: int) -> sp.Expr:
        """Decay k, through the last one of the family where k lies beyond it."""
        last = len(self.decays) - 1
        return self.decays[k] if k <= last else self.decays[last] / (1 - self.coordinate) ** (k - last)


@lru_cache(maxsize=4096)
def _decays_between(ends: Ends, number: int) -> tuple[Interval, ...]:
    """t^k exp(1 - t) for k = 0, 1, ... over the ends of u: it rises up to t = k and falls from there on."""
    near, far = (None if u == 1 else 1 / (1 - u) for u in ends)
    enclosed = []
    for k in range(number):
        values = [_decay(k, t) for t in (near, far)]
        if near is not None and near < k and (far is None or k < far):
            values.append(_decay(k, Fraction(k)))
        enclosed.append(Interval(min(value.lower for value in values[:2]), max(value.upper for value in values)))
    return tuple(enclosed)


def _decay(k: int, t: Fraction | None) -> Interval:
    if t is None:
        return Interval.point(0.0)
    return ARB.bounds(ARB.power(ARB.number(t), k) * ARB.exp(ARB.number(1 - t)))
