"""Adversaries set against a claim: who can attack it, what it says of them, and who finds it wrong."""

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import sympy as sp

import bounds
from bounds.hypotheses import CAUSAL, UNMASKED
from bounds.notation import NOTATION, L

from .adversaries import adversaries
from .environment import Value, environment
from .head import Head, Layer

Subject = Head | Layer
SLACK = 1e-9  # of the float64 norms on both sides
_TABLE = {True: Layer, False: Head}


def meets(theorem: bounds.Theorem, subject: Subject) -> bool:
    """Is the theorem about this subject?"""
    if not isinstance(subject, Head):
        return theorem.map == "multi-head softmax"
    if theorem.map != "softmax" or (UNMASKED in theorem.hypotheses and subject.c is not None):
        return False
    if CAUSAL in theorem.hypotheses and not subject.is_causal:
        return False
    return theorem.domain != "layernorm" or subject.layernorm is not None


@cache
def attackers(theorem: bounds.Theorem) -> tuple[tuple[str, Subject, dict[str, Value]], ...]:
    """Adversary, subject and the subject's numbers, for everything that the theorem is about."""
    return tuple(
        (name, subject, environment(theorem, subject))
        for name, subjects in adversaries().items()
        for subject in subjects
        if meets(theorem, subject)
    )


@cache
def reader(claim: sp.Expr, theorem: bounds.Theorem) -> Callable[[dict[str, Value]], float]:
    """The claim as a fast function of the numbers; an overflow is an infinite bound, which claims nothing."""
    names = [str(symbol) for symbol in theorem.symbols]
    if L in theorem.symbols:
        return lambda values: _with_heads(claim, values)
    compiled = sp.lambdify(theorem.symbols, claim, modules="math")

    def value(values: dict[str, Value]) -> float:
        try:
            return float(compiled(*(values[name] for name in names)))
        except OverflowError:
            return math.inf

    return value


def _with_heads(claim: sp.Expr, values: dict[str, Value]) -> float:
    from bounds.evaluation import evaluate
    from bounds.notation import by_name

    return float(evaluate(claim, {by_name(name): value for name, value in values.items()}))


def objections(claim: sp.Expr, theorem: bounds.Theorem) -> Iterator[tuple[str, float]]:
    """Adversaries whose Jacobian norm exceeds the claimed upper bound, with the ratio."""
    claimed = reader(claim, theorem)
    for name, subject, values in attackers(theorem):
        bound = claimed(values)
        if not subject.jacobian_norm <= bound * (1 + SLACK):
            yield name, subject.jacobian_norm / bound if bound else math.inf


def dropped(theorem: bounds.Theorem, symbol: sp.Symbol | sp.IndexedBase) -> sp.Expr:
    """The theorem's expression with one symbol at its least value."""
    least = sp.Integer(NOTATION[symbol].least)
    lost: Any = theorem.expr.atoms(sp.Indexed) if isinstance(symbol, sp.IndexedBase) else {symbol}
    smaller: Any = theorem.expr.xreplace({node: least for node in lost})
    return smaller
