"""Adversaries set against a claim: who can attack it, what it says of them, and who finds it wrong."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
import sympy as sp

import bounds
from bounds.notation import NOTATION, L

from . import maps
from .adversaries import adversaries
from .environment import Value, environment
from .head import Head, Layer
from .subject import Subject, induced_norm

SLACK = 1e-9  # of the float64 norms on both sides
HYPOTHESES: dict[str, Callable[[Head], bool]] = {
    "unmasked": lambda head: head.c is None,
    "causal": lambda head: head.is_causal,
    "finite-constants": lambda head: head.c is None or bool(np.isfinite(head.c).all()),
    "no-query-bias": lambda head: not head.a.any(),
    "positive-scores": lambda head: bool((head.A == head.A.T).all() and np.linalg.eigvalsh(head.A)[0] >= 0),
    "mask-only": lambda head: head.c is None or head.is_masked_only,
}


@dataclass(frozen=True, eq=False)
class Attacker:
    """An adversary's name, the norm it attains, and what the theorem's symbols are worth there."""

    name: str
    attained: float
    numbers: dict[str, Value]


@cache
def attackers(theorem: bounds.Theorem) -> tuple[Attacker, ...]:
    """Everything that the theorem is about."""
    if theorem.map in ("softmax", "multi-head softmax"):
        return tuple(_heads_and_layers(theorem))
    return tuple(_subjects(theorem))


def _heads_and_layers(theorem: bounds.Theorem) -> Iterator[Attacker]:
    for name, subjects in adversaries().items():
        for subject in subjects:
            if _meets(theorem, subject):
                attained = subject.jacobian_norm if theorem.norm == "l2" else _other_norm(theorem, subject)
                yield Attacker(name, attained, environment(theorem, subject))


def _meets(theorem: bounds.Theorem, subject: Head | Layer) -> bool:
    """Is the theorem about this subject?"""
    if not isinstance(subject, Head):
        return theorem.map == "multi-head softmax"
    if theorem.map != "softmax" or not all(HYPOTHESES[hypothesis.name](subject) for hypothesis in theorem.hypotheses):
        return False
    return theorem.domain != "layernorm" or subject.layernorm is not None


def _other_norm(theorem: bounds.Theorem, subject: Head | Layer) -> float:
    assert isinstance(subject, Head)
    return induced_norm(subject.blocks, theorem.norm)


def _subjects(theorem: bounds.Theorem) -> Iterator[Attacker]:
    """The subjects of the file that is about the theorem's map; a missing number is an error."""
    wanted = {hypothesis.name for hypothesis in theorem.hypotheses}
    for name, subject in map_subjects()[theorem.map]:
        if wanted <= subject.hypotheses:
            numbers: dict[str, Value] = {str(symbol): subject.numbers[str(symbol)] for symbol in theorem.symbols}
            yield Attacker(name, induced_norm(subject.blocks, theorem.norm), numbers)


@cache
def map_subjects() -> dict[str, list[tuple[str, Subject]]]:
    """What every file of `maps` yields, by the word of the map; the functions without an underscore in front attack."""
    found: dict[str, list[tuple[str, Subject]]] = {}
    for info in iter_modules(maps.__path__):
        module = import_module(f"{maps.__name__}.{info.name}")
        for name, attack in vars(module).items():
            if getattr(attack, "__module__", None) == module.__name__ and not name.startswith("_"):
                for subject in attack():
                    found.setdefault(subject.map, []).append((name, subject))
    return found


@cache
def reader(claim: sp.Expr, theorem: bounds.Theorem) -> Callable[[dict[str, Value]], float]:
    """The claim as a fast function of the numbers; an overflow is an infinite bound, which claims nothing."""
    names = [str(symbol) for symbol in theorem.symbols]
    if L in theorem.symbols:
        return lambda values: _with_heads(claim, values)
    compiled = sp.lambdify(theorem.symbols, claim, modules=[{"LambertW": _lambert}, "math"])

    def value(values: dict[str, Value]) -> float:
        try:
            return float(compiled(*(values[name] for name in names)))
        except OverflowError:
            return math.inf

    return value


def _lambert(x: float) -> float:
    from scipy.special import lambertw

    return float(lambertw(x).real)


def _with_heads(claim: sp.Expr, values: dict[str, Value]) -> float:
    from bounds.evaluation import evaluate
    from bounds.notation import by_name

    return float(evaluate(claim, {by_name(name): value for name, value in values.items()}))


def objections(claim: sp.Expr, theorem: bounds.Theorem) -> Iterator[tuple[str, float]]:
    """Adversaries whose Jacobian norm exceeds the claimed upper bound, with the ratio."""
    claimed = reader(claim, theorem)
    for attacker in attackers(theorem):
        bound = claimed(attacker.numbers)
        if not attacker.attained <= bound * (1 + SLACK):
            yield attacker.name, attacker.attained / bound if bound else math.inf


def dropped(theorem: bounds.Theorem, symbol: sp.Symbol | sp.IndexedBase) -> sp.Expr:
    """The theorem's expression with one symbol at its least value."""
    least = sp.Integer(NOTATION[symbol].least)
    lost: Any = theorem.expr.atoms(sp.Indexed) if isinstance(symbol, sp.IndexedBase) else {symbol}
    smaller: Any = theorem.expr.xreplace({node: least for node in lost})
    return smaller
