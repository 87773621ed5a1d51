"""Which of several theorems is the least where, along one letter: whole intervals proved, crossings enclosed.

An interval is bisected until one form lies below all others on all of it, by enclosures over the interval; what is
left when the pieces are as narrow as asked for holds a crossing, or a place where two forms touch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bounds.notation import by_name
from bounds.theorem import Theorem

from .arithmetic.arb import ARB
from .arithmetic.interval import Interval
from .enclose import Environment, enclose
from .errors import InputError, NoEnclosure

Number = int | Fraction


@dataclass(frozen=True)
class Regime:
    """On lower <= letter <= upper this theorem is the least of all; None where that is not decided."""

    lower: Fraction
    upper: Fraction
    theorem: Theorem | None


def regimes(
    theorems: Sequence[Theorem],
    letter: str,
    between: tuple[Number, Number],
    values: Mapping[str, Number],
    narrowest: Fraction = Fraction(1, 10**9),
) -> tuple[Regime, ...]:
    """The regimes of a letter between two values, in order and without gaps; `values` gives the other letters.

    A crossing lies in every undecided regime between two theorems, which is a few times `narrowest` wide.
    Raises: InputError for fewer than two theorems or an empty range; NoEnclosure where a form has no enclosure.
    """
    lower, upper = map(Fraction, between)
    if len(theorems) < 2 or not lower < upper or narrowest <= 0:
        raise InputError("regimes need two theorems at least, a range from less to more and a positive width")
    known = {by_name(name): value for name, value in values.items()}
    pieces: list[Regime] = []
    waiting = [(lower, upper)]
    while waiting:
        start, end = waiting.pop()
        split = end - start > narrowest
        found = _least(theorems, {**known, by_name(letter): _around(start, end)}, refuse=not split)
        if found is None and split:
            middle = (start + end) / 2
            waiting += [(middle, end), (start, middle)]
        else:
            _append(pieces, Regime(start, end, found))
    return tuple(pieces)


def crossings(found: Sequence[Regime]) -> tuple[tuple[Fraction, Fraction], ...]:
    """The undecided regimes between two different theorems: by continuity the two are equal somewhere in each."""
    return tuple(
        (between.lower, between.upper)
        for before, between, after in zip(found, found[1:], found[2:], strict=False)
        if between.theorem is None and before.theorem is not after.theorem
    )


def _least(theorems: Sequence[Theorem], environment: Environment, *, refuse: bool) -> Theorem | None:
    """The theorem that lies below all others everywhere in the environment; None where none is seen to."""
    try:
        enclosed = [enclose(theorem.expr, environment) for theorem in theorems]
    except NoEnclosure:
        if refuse:
            raise
        return None
    best = min(range(len(theorems)), key=lambda i: enclosed[i].upper)
    below = all(enclosed[best].upper < other.lower for i, other in enumerate(enclosed) if i != best)
    return theorems[best] if below else None


def _around(start: Fraction, end: Fraction) -> Interval:
    return ARB.bounds(ARB.number(start, end))


def _append(pieces: list[Regime], piece: Regime) -> None:
    """Joins a piece to the one before where both have the same winner, or none."""
    if pieces and pieces[-1].theorem is piece.theorem:
        pieces[-1] = Regime(pieces[-1].lower, piece.upper, piece.theorem)
    else:
        pieces.append(piece)
