"""Heads of the families with all parameters chosen, and what they prove on a range of token counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from ..arithmetic.arb import ARB
from ..arithmetic.interval import Interval
from ..enclose import enclose
from ..errors import NoEnclosure
from . import families

Counts = tuple[int, int | None]
"""All integers from the first to the last; None for no end."""


class Witness(Protocol):
    """One head of a family for every token count of a range."""

    def least(self, counts: Counts, rho: Fraction, beyond: bool) -> Fraction:
        """A number that L(n, rho) / rho reaches for every n of the range; with `beyond`, for every larger rho too.

        Raises NoEnclosure where there is no such head for all of them, or its value is not enclosed.
        """
        ...


@dataclass(frozen=True)
class NoScores:
    """A = 0 and all tokens move alike: L(n, rho) >= 1."""

    def least(self, counts: Counts, rho: Fraction, beyond: bool) -> Fraction:
        if beyond:
            raise NoEnclosure("a head without scores proves nothing over rho as rho grows")
        return 1 / rho


@dataclass(frozen=True)
class OppositeMoves:
    """Two tokens against n - 2."""

    cosine: Fraction

    def least(self, counts: Counts, rho: Fraction, beyond: bool) -> Fraction:
        fewest, most = counts
        if most is None or fewest < 3 or not -1 <= self.cosine <= 1:
            raise NoEnclosure(f"this head needs from 3 to finitely many tokens, not {counts}")
        head: dict[Any, Any] = {families.rho: rho, families.cosine: self.cosine}
        ends = (enclose(families.OPPOSITE_MOVES, {**head, families.others: end - 2}) for end in (fewest, most))
        return Fraction(min(end.lower for end in ends))


@dataclass(frozen=True)
class TwoPlaces:
    """`count` tokens against the rest, or with count = 0 the integer nearest to a share of n.

    `gap` None is the largest one, 2 rho, or the least where `downhill`.
    """

    count: int
    share: Fraction
    gap: Fraction | None
    downhill: bool
    turn: int
    moves: tuple[Fraction, ...]

    def least(self, counts: Counts, rho: Fraction, beyond: bool) -> Fraction:
        gap = (-2 * rho if self.downhill else 2 * rho) if self.gap is None else self.gap
        if abs(gap) > 2 * rho:
            raise NoEnclosure(f"no head with |A| <= {rho} has scores that differ by {gap}")
        if self.turn not in (-1, 1):
            raise NoEnclosure(f"turn {self.turn} is neither a rotation nor a reflection")
        places = (families.x_rest, families.y_rest, families.x_moved, families.y_moved)
        head: dict[Any, Any] = {
            families.gap: gap,
            families.inverse_rho: _around(Fraction(0), 1 / rho) if beyond else 1 / rho,
            families.turn: self.turn,
            **dict(zip(places, self.moves, strict=True)),
        }
        scores = {symbol: enclose(score, head) for symbol, score in families.SCORES.items()}
        return _least_over_odds({**head, **scores}, *self._odds(counts))

    def _odds(self, counts: Counts) -> tuple[Fraction, Fraction]:
        """The ends of (n - k) / k for every n of the range."""
        fewest, most = counts
        if self.count:
            if most is None or not 0 < self.count < fewest:
                raise NoEnclosure(f"{self.count} of {counts} tokens are no head with two places")
            return Fraction(fewest, self.count) - 1, Fraction(most, self.count) - 1
        off = Fraction(1, 2 * fewest)  # the nearest integer is at most 1/2 away
        least, largest = self.share - off, self.share + off
        if not 0 < least <= largest < 1:
            raise NoEnclosure(f"the integer nearest to {self.share} of {fewest} tokens may be none or all")
        return 1 / largest - 1, 1 / least - 1


def _least_over_odds(head: Mapping[Any, Any], lower: Fraction, upper: Fraction) -> Fraction:
    """By the mean value theorem for the square, from the middle of the range; at one point by the value itself."""
    square = Fraction(enclose(families.TWO_PLACES, {**head, families.odds: (lower + upper) / 2}).lower)
    if lower < upper:
        slope = enclose(families.TWO_PLACES_ALONG_ODDS, {**head, families.odds: _around(lower, upper)})
        square -= max(Fraction(slope.upper), -Fraction(slope.lower)) * (upper - lower) / 2
    return Fraction(ARB.bounds(ARB.sqrt(ARB.number(square))).lower)


def _around(lower: Fraction, upper: Fraction) -> "Fraction | Interval":
    return lower if lower == upper else ARB.bounds(ARB.number(lower, upper))
