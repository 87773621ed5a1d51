"""The kinds of step that a proof is made of; each runs by itself and says one word about itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import sympy as sp

import bounds
from bounds import Theorem
from bounds.notation import NOTATION, LetterLike
from certify.inequality import Claim, ClaimError, Proved, Refuted, decide
from certify.inequality.vanishing import vanishes

from .facts import StandardFact
from .outcome import Outcome

Side = Any  # sp.Expr or a matrix, whose entries SymPy's types do not know


class Step(Protocol):
    """One numbered step: a LaTeX text in our own words, and how it is checked."""

    @property
    def text(self) -> str: ...

    def run(self, theorem: Theorem) -> Outcome: ...


@dataclass(frozen=True)
class Identity:
    """lhs = rhs, by SymPy; `sizes` says for which sizes the two sides are written out, entry by entry.

    `least` gives the least value of the symbols that are not just any real number.
    """

    text: str
    lhs: Side
    rhs: Side
    sizes: str
    least: Mapping[sp.Symbol, int] = field(default_factory=dict)

    def run(self, theorem: Theorem) -> Outcome:
        least = {symbol: sp.Integer(value) for symbol, value in self.least.items()}
        for left, right in _entries(self.lhs, self.rhs):
            if not vanishes(left - right, least):
                return Outcome("FAILED", "SymPy does not see the two sides equal")
        return Outcome("verified", self.sizes)


@dataclass(frozen=True)
class Inequality:
    """A scalar inequality on its whole domain, by branch and bound in ball arithmetic."""

    text: str
    claim: Claim
    budget: int = 20_000

    def run(self, theorem: Theorem) -> Outcome:
        return _decided(self.claim, self.budget)


@dataclass(frozen=True)
class Below:
    """lower <= the expression of the theorem `upper`, on everything that the notation allows.

    `put` says what stands for the claim's symbols: with it, the claim times `factor` is the difference of the two
    sides, which SymPy checks. That the values put in lie on the claim's axes is for the steps before to prove.
    """

    text: str
    lower: sp.Expr
    upper: str
    claim: Claim
    put: Mapping[sp.Symbol, sp.Expr]
    factor: sp.Expr
    budget: int = 20_000

    def run(self, theorem: Theorem) -> Outcome:
        upper = theorem if theorem.id == self.upper else bounds.theorem(self.upper)
        put: dict[Any, Any] = dict(self.put)
        difference = self.factor * self.claim.expr.subs(put, simultaneous=True)
        if not vanishes(difference - (upper.expr - self.lower), _least(upper)):
            return Outcome("FAILED", f"the claim is not about the expression of {self.upper}")
        return _decided(self.claim, self.budget)


@dataclass(frozen=True)
class Fact:
    """A standard fact: what stands for each of its letters, and why each of its hypotheses holds."""

    text: str
    fact: StandardFact
    letters: Mapping[str, str]
    because: Mapping[str, str] = field(default_factory=dict)

    def run(self, theorem: Theorem) -> Outcome:
        for wanted, given, what in (
            (self.fact.letters, self.letters, "letter"),
            (self.fact.hypotheses, self.because, "hypothesis"),
        ):
            odd = sorted(set(wanted) ^ {name for name, value in given.items() if value.strip()})
            if odd:
                return Outcome("FAILED", f"{self.fact.name}: give each {what} once; look at {', '.join(odd)}")
        return Outcome("standard", self.fact.name)


@dataclass(frozen=True)
class Cites:
    """Another theorem here, with larger numbers put in for some of its symbols (a bound is monotone in each)."""

    text: str
    theorem_id: str
    values: Mapping[LetterLike, sp.Expr] = field(default_factory=dict)

    @property
    def bound(self) -> sp.Expr:
        values: dict[Any, Any] = dict(self.values)
        return bounds.theorem(self.theorem_id).expr.subs(values, simultaneous=True)

    def run(self, theorem: Theorem) -> Outcome:
        if theorem.id == self.theorem_id:
            return Outcome("FAILED", "a theorem cannot cite itself")
        odd = [str(symbol) for symbol in self.values if symbol not in bounds.theorem(self.theorem_id).symbols]
        if odd:
            return Outcome("FAILED", f"{self.theorem_id} has no {', '.join(odd)}")
        return Outcome("cited", self.theorem_id)


@dataclass(frozen=True)
class Open:
    """What is missing; a proof with such a step proves nothing."""

    text: str

    def run(self, theorem: Theorem) -> Outcome:
        return Outcome("open", self.text)


@dataclass(frozen=True)
class Concludes:
    """The bound that the steps have reached is the theorem's expression, for all values that the notation allows."""

    text: str
    bound: sp.Expr

    def run(self, theorem: Theorem) -> Outcome:
        if self.bound == theorem.expr or vanishes(theorem.expr - self.bound, _least(theorem)):
            return Outcome("verified", "the expression of the theorem")
        return Outcome("FAILED", "the steps reach another expression than the theorem's")


def _least(theorem: Theorem) -> dict[sp.Symbol, Any]:
    return {symbol: sp.Integer(NOTATION[symbol].least) for symbol in theorem.symbols if isinstance(symbol, sp.Symbol)}


def _decided(claim: Claim, budget: int) -> Outcome:
    try:
        verdict = decide(claim, budget)
    except ClaimError as error:
        return Outcome("FAILED", str(error))
    if isinstance(verdict, Proved):
        return Outcome("proved", f"{verdict.boxes or 1} boxes")
    if isinstance(verdict, Refuted):
        point = ", ".join(f"{symbol} = {value}" for symbol, value in verdict.point.items())
        return Outcome("FAILED", f"false at {point}: at most {verdict.value.upper:.3g}")
    return Outcome("FAILED", f"undecided after {verdict.boxes} boxes, the worst one {verdict.box}")


def _entries(lhs: Side, rhs: Side) -> list[tuple[Any, Any]]:
    if not isinstance(lhs, sp.MatrixBase):
        return [(lhs, rhs)]
    if lhs.shape != rhs.shape:
        raise ValueError(f"an identity between matrices of shapes {lhs.shape} and {rhs.shape}")
    return list(zip(lhs.flat(), rhs.flat(), strict=True))
