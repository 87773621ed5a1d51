"""Branch and bound in ball arithmetic: proved, refuted at a point, or undecided; never a wrong answer.

A box is settled by the natural enclosure, by the mean value form, by moving to the face where a monotone form is least,
or, where the form vanishes on a face of the whole box, by the first derivative that keeps its sign: if f and its
derivatives along x below order k are zero on x = lower, and the k-th is nonnegative on the box, then f >= 0 there
(Taylor). An evaluation that ends in no enclosure settles nothing. The box with the least lower bound is split next.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from math import inf
from typing import Any

import sympy as sp

from ..arithmetic.interval import Interval
from ..enclose import enclose
from ..errors import NoEnclosure
from .axis import Axis, Ends
from .claim import Claim
from .vanishing import vanishes

BUDGET = 20_000
ORDERS = 4  # derivatives tried where the form vanishes on a face
NARROW = Fraction(1, 2**40)

Point = dict[sp.Symbol, Fraction]


@dataclass(frozen=True)
class Proved:
    """The claim holds on the whole box."""

    boxes: int


@dataclass(frozen=True)
class Refuted:
    """The claim fails at this exact point, where the claimed expression lies in `value`."""

    point: Point
    value: Interval
    boxes: int


@dataclass(frozen=True)
class Undecided:
    """Neither was shown within the budget; the box (in coordinates) with the least lower bound."""

    box: Mapping[sp.Symbol, Ends]
    lower: float
    boxes: int


Verdict = Proved | Refuted | Undecided
Box = tuple[Ends, ...]


def decide(claim: Claim, budget: int = BUDGET) -> Verdict:
    """Proves or refutes a claim by looking at no more than `budget` boxes.

    Raises ClaimError for a claim that does not hold together.
    """
    claim.check()
    search = _Search(claim)
    whole: Box = tuple(axis.ends for axis in claim.axes)
    order = count()
    waiting = [(-inf, next(order), whole)]
    boxes = 0
    while waiting:
        lower, _, box = heapq.heappop(waiting)
        refuted = search.counterexample(box)
        if refuted is not None:
            return Refuted(*refuted, boxes)
        if boxes >= budget or not search.wide(box):
            return Undecided(dict(zip((a.coordinate for a in claim.axes), box, strict=True)), lower, boxes)
        for half in search.halves(box):
            boxes += 1
            bound = search.lower(half)
            if bound is not None:
                heapq.heappush(waiting, (bound, next(order), half))
    return Proved(boxes)


@dataclass
class _Search:
    """A claim with its derivatives and faces, worked out once each."""

    claim: Claim
    _derivatives: dict[tuple[int, int], sp.Expr] = field(default_factory=dict)
    _zero_faces: dict[tuple[int, Fraction, int], bool] = field(default_factory=dict)
    _faces: dict[tuple[tuple[int, Fraction], ...], sp.Expr] = field(default_factory=dict)

    def lower(self, box: Box) -> float | None:
        """None where the claim is settled on the box, else the best lower bound of the form (-inf without one)."""
        natural = self._enclosed(self.claim.searched, box)
        if natural is None:  # without it the form is not even known to be defined on the whole box
            return -inf
        if self._enough(natural.lower):
            return None
        slopes = [self._enclosed(self._derivative(i, 1), box) for i in range(len(box))]
        best = max(natural.lower, self._on_least_face(box, slopes), self._by_mean_value(box, slopes))
        if self._enough(best) or self._vanishing_face_settles(box):
            return None
        return best

    def counterexample(self, box: Box) -> tuple[Point, Interval] | None:
        """A point, among the middle and the corners of the box, where the claimed expression is certainly negative."""
        for coordinates in _middle_and_corners(box):
            values = [axis.at(x) for axis, x in zip(self.claim.axes, coordinates, strict=True)]
            point = {axis.symbol: x for axis, x in zip(self.claim.axes, values, strict=True) if x is not None}
            if len(point) == len(values):
                value = _enclosure(self.claim.expr, point)
                if value is not None and (value.upper < 0 or (self.claim.strict and value.upper <= 0)):
                    return point, value
        return None

    def wide(self, box: Box) -> bool:
        return any(self._share(i, ends) > NARROW for i, ends in enumerate(box))

    def halves(self, box: Box) -> tuple[Box, Box]:
        """The box cut in the middle of the side that makes up the largest share of its axis."""
        side = max(range(len(box)), key=lambda i: self._share(i, box[i]))
        lower, upper = box[side]
        middle = (lower + upper) / 2
        return (*box[:side], (lower, middle), *box[side + 1 :]), (*box[:side], (middle, upper), *box[side + 1 :])

    def _share(self, i: int, ends: Ends) -> Fraction:
        lowest, highest = self.claim.axes[i].ends
        return (ends[1] - ends[0]) / (highest - lowest) if highest > lowest else Fraction(0)

    def _enough(self, lower: float) -> bool:
        return lower > 0 or (lower == 0 and not self.claim.strict)

    def _enclosed(self, expr: sp.Expr, box: Box) -> Interval | None:
        return _enclosure(expr, _environment(self.claim.axes, box))

    def _derivative(self, i: int, order: int) -> sp.Expr:
        if order == 0:
            return self.claim.searched
        if (i, order) not in self._derivatives:
            # a common factor keeps its sign only where it stands as one
            slope: Any = sp.factor_terms(self.claim.axes[i].derivative(self._derivative(i, order - 1)))
            self._derivatives[i, order] = slope
        return self._derivatives[i, order]

    def _on_least_face(self, box: Box, slopes: list[Interval | None]) -> float:
        """The lower bound on the face where the form is least, along every axis on which it is monotone."""
        least = list(box)
        for i, slope in enumerate(slopes):
            if slope is not None and slope.lower >= 0:
                least[i] = (box[i][0], box[i][0])
            elif slope is not None and slope.upper <= 0:
                least[i] = (box[i][1], box[i][1])
        if least == list(box):
            return -inf
        value = self._enclosed(self._on_outer_faces(tuple(least)), tuple(least))
        return -inf if value is None else value.lower

    def _on_outer_faces(self, box: Box) -> sp.Expr:
        """The form with exact values put in where the box is a point at an end of an axis, so that terms may cancel."""
        outer = tuple(
            (i, lower) for i, (lower, upper) in enumerate(box) if lower == upper and lower in self.claim.axes[i].ends
        )
        if outer not in self._faces:
            values: dict[Any, Any] = {
                key: value for i, end in outer for key, value in self.claim.axes[i].face(end).items()
            }
            face: Any = sp.factor(self.claim.searched.subs(values))
            self._faces[outer] = face
        return self._faces[outer]

    def _by_mean_value(self, box: Box, slopes: list[Interval | None]) -> float:
        """f(c) + sum of slope * (x - c), from the middle c of the box."""
        middle: Box = tuple(((lower + upper) / 2, (lower + upper) / 2) for lower, upper in box)
        value = self._enclosed(self.claim.searched, middle)
        if value is None or any(slope is None for slope in slopes):
            return -inf
        total = Fraction(value.lower)
        for slope, (lower, upper) in zip(slopes, box, strict=True):
            if slope is not None:
                total -= Fraction(max(abs(slope.lower), abs(slope.upper))) * (upper - lower) / 2
        return float(total) if abs(total) > Fraction(1, 2**900) else -inf

    def _vanishing_face_settles(self, box: Box) -> bool:
        if self.claim.strict:
            return False
        return any(
            ends[side] == axis.ends[side] and self._settled_from(box, i, ends[side], sign)
            for i, (axis, ends) in enumerate(zip(self.claim.axes, box, strict=True))
            for side, sign in ((0, 1), (1, -1))
        )

    def _settled_from(self, box: Box, i: int, end: Fraction, sign: int) -> bool:
        """Whether the form vanishes on that face, and the next derivative that need not has the right sign."""
        for order in range(ORDERS):
            if not self._vanishes_on(i, end, order):
                return False
            slope = self._enclosed(self._derivative(i, order + 1), box)
            if slope is not None and (slope.lower >= 0 if sign ** (order + 1) > 0 else slope.upper <= 0):
                return True
        return False

    def _vanishes_on(self, i: int, end: Fraction, order: int) -> bool:
        key = i, end, order
        if key not in self._zero_faces:
            values: dict[Any, Any] = {**self.claim.axes[i].face(end)}
            face = self._derivative(i, order).subs(values)
            self._zero_faces[key] = vanishes(self.claim.in_symbols(face), self.claim.least)
        return self._zero_faces[key]


def _environment(axes: tuple[Axis, ...], box: Box) -> dict[sp.Symbol, Fraction | Interval]:
    return {key: value for axis, ends in zip(axes, box, strict=True) for key, value in axis.values(ends).items()}


def _enclosure(expr: sp.Expr, environment: Mapping[sp.Symbol, Fraction | Interval]) -> Interval | None:
    try:
        return enclose(expr, environment)
    except NoEnclosure:
        return None


def _middle_and_corners(box: Box) -> Iterator[tuple[Fraction, ...]]:
    yield tuple((lower + upper) / 2 for lower, upper in box)
    for choice in range(2 ** len(box)):
        yield tuple(ends[choice >> i & 1] for i, ends in enumerate(box))
