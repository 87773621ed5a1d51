"""Terms evaluate to what the theorems say, and nothing unknown is evaluated at all."""

import random
from fractions import Fraction
from typing import Any

import pytest

import bounds
from certify.checker.check import theorems
from certify.checker.enclosures import NoRange, Range
from certify.checker.terms import evaluate

COUNTS = ("n", "d", "H")


@pytest.mark.parametrize("theorem_id", sorted(theorems()))
@pytest.mark.parametrize("seed", range(3))
def test_a_term_has_the_theorems_value(theorem_id: str, seed: int) -> None:
    rng = random.Random(seed)
    values: dict[str, Any] = {
        symbol: rng.randint(1, 5) if symbol in COUNTS else rng.uniform(0.0, 3.0)
        for symbol in theorems()[theorem_id]["symbols"]
    }
    if "L" in values:
        values["L"] = [rng.uniform(0.0, 3.0) for _ in range(values["H"])]
    expected = Fraction(str(bounds.theorem(theorem_id).evaluate(**values)))
    points = {
        name: [Range.point(Fraction(x)) for x in value] if isinstance(value, list) else Range.point(Fraction(value))
        for name, value in values.items()
    }
    result = evaluate(theorems()[theorem_id]["term"], points)
    assert abs(result.upper - expected) <= expected * Fraction(1, 10**28)
    assert result.upper - result.lower <= result.upper * Fraction(1, 2**290)


@pytest.mark.parametrize("theorem_id", sorted(theorems()))
def test_a_term_is_sharp_on_inputs_from_zero(theorem_id: str) -> None:
    """The checker's rule: over [0, upper] the upper end is the value at the upper ends, so no lower end is needed."""
    symbols = theorems()[theorem_id]["symbols"]
    above: dict[str, Any] = {s: Range.of(2, 2) if s in COUNTS else Range.of(0, Fraction(5, 4)) for s in symbols}
    at: dict[str, Any] = {s: Range.of(2, 2) if s in COUNTS else Range.point(Fraction(5, 4)) for s in symbols}
    if "L" in symbols:
        above["L"], at["L"] = [above["L"]] * 2, [at["L"]] * 2
    term = theorems()[theorem_id]["term"]
    wide, sharp = evaluate(term, above), evaluate(term, at)
    assert sharp.lower <= wide.upper <= sharp.upper * (1 + Fraction(1, 2**290))


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        (["eval", "x"], "unknown node"),
        ("x", "unknown node"),
        ([], "unknown node"),
        ([["exp"]], "unknown node"),
        (["symbol", "missing"], "no number for the symbol missing"),
        (["symbol", "L"], "no number for the symbol L"),
        (["indexed", "x", "h"], "no list for the symbol x"),
        (["indexed", "L", "x"], "L has 1 entries"),
        (["pow", ["symbol", "x"], ["symbol", "x"]], "a power needs a rational exponent"),
        (["sum", "h", ["number", "1"], ["symbol", "wide"], ["number", "1"]], "a sum needs integer limits"),
        (["sum", "h", ["number", "1"], ["number", "99999"], ["number", "1"]], "a sum needs integer limits"),
    ],
)
def test_what_is_not_understood_has_no_value(term: Any, reason: str) -> None:
    environment = {
        "x": Range.of(2, 2),
        "h": Range.of(1, 1),
        "wide": Range.of(1, 2),
        "L": [Range.of(1, 1)],
    }
    with pytest.raises(NoRange, match=reason):
        evaluate(term, environment)
