"""Every variant: its derivative found by rules, its closed form and complex steps through the map agree.

Nothing here names a variant. Complex steps know nothing of the rules; a term missing in the closed form is noticed.
"""

import cmath
import dataclasses
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy.special import erf

import bounds
from bounds.formula import Formula, Letter, letters_in
from bounds.variant import Variant
from bounds.written_out import FLOATS, Arithmetic, WrittenOut

STEP = 1e-40
SIZES = {"n": 3, "T": 4}  # every other size is 2
COMPLEX = Arithmetic(
    number=complex,
    functions={
        sp.exp: cmath.exp,
        sp.log: cmath.log,
        sp.erf: lambda x: complex(erf(x)),
        sp.tanh: cmath.tanh,
        sp.cos: cmath.cos,
        sp.sin: cmath.sin,
        sp.Heaviside: lambda x, at_zero: at_zero if x.real == 0 else complex(x.real > 0),
        sp.Max: lambda *numbers: max(numbers, key=lambda number: number.real),
    },
)
each = pytest.mark.parametrize("variant", [pytest.param(variant, id=variant.id) for variant in bounds.variants()])


def point(variant: Variant, scale: float) -> dict[Any, Any]:
    """Sizes, numbers, and random entries for every letter that no formula defines."""
    rng = np.random.default_rng(33)
    expressions = (*variant.map.expressions, *variant.differential.expressions)
    letters = {letter for expr in expressions for letter in letters_in(expr) if letter.shape is not None}
    letters |= {*variant.inputs, *variant.inputs.values()}
    shapes = {letter: sp.Tuple(*(letter.shape or ())) for letter in letters}
    symbols = {s for expr in (*expressions, *shapes.values(), *variant.output.values()) for s in expr.free_symbols}
    values: dict[Any, Any] = {s: SIZES.get(str(s), 2) if s.is_integer else 0.7 for s in symbols if type(s) is sp.Symbol}
    for letter in sorted(letters, key=str):
        sizes = [int(size.xreplace(_integers(values))) for size in shapes[letter]]
        entries = product(*(range(1, size + 1) for size in sizes))
        signed = letter in variant.inputs or letter in variant.inputs.values()
        values[letter] = {at: _entry(rng, signed, scale if letter in variant.inputs else 1.0) for at in entries}
    return values


def _integers(values: Mapping[Any, Any]) -> dict[Any, Any]:
    return {symbol: sp.Integer(value) for symbol, value in values.items() if isinstance(value, int)}


def _entry(rng: np.random.Generator, signed: bool, scale: float) -> float:
    return float(scale * rng.standard_normal()) if signed else float(rng.uniform(0.2, 1.2))


def entries(variant: Variant, formula: Formula, values: Mapping[Any, Any], arithmetic: Arithmetic) -> np.ndarray:
    """Every entry of the output."""
    written = WrittenOut(formula, values, arithmetic)
    spans = [range(1, int(last.xreplace(_integers(values))) + 1) for last in variant.output.values()]
    return np.array([written.at(dict(zip(variant.output, at, strict=True))) for at in product(*spans)])


def by_complex_steps(variant: Variant, values: Mapping[Any, Any]) -> np.ndarray:
    moved = dict(values)
    for letter, direction in variant.inputs.items():
        moved[letter] = {at: x + 1j * STEP * values[direction][at] for at, x in values[letter].items()}
    return entries(variant, variant.map, moved, COMPLEX).imag / STEP


def disagree(variant: Variant, values: Mapping[Any, Any], formula: Formula) -> bool:
    wanted = by_complex_steps(variant, values)
    found = entries(variant, formula, values, FLOATS)
    return bool(np.abs(found - wanted).max() > 1e-11 * max(1.0, np.abs(wanted).max()))


@each
@pytest.mark.parametrize("scale", [1.0, 6.0])
def test_derivation_closed_form_and_map_agree(variant: Variant, scale: float) -> None:
    values = point(variant, scale)
    assert np.abs(by_complex_steps(variant, values)).max() > 0
    assert not disagree(variant, values, variant.differential)
    assert not disagree(variant, values, variant.derive())


def weaker(formula: Formula, own: set[Letter]) -> Iterator[Formula]:
    """The formula with one summand less, in its value or in one of the definitions that the closed form brought."""
    for smaller in _without_a_summand(formula.value):
        yield dataclasses.replace(formula, value=smaller)
    for at, definition in enumerate(formula.where):
        for smaller in _without_a_summand(definition.right) if definition.letter in own else ():
            changed = dataclasses.replace(definition, right=smaller)
            yield dataclasses.replace(formula, where=(*formula.where[:at], changed, *formula.where[at + 1 :]))


def _without_a_summand(expr: sp.Expr) -> Iterator[sp.Expr]:
    for total in expr.atoms(sp.Add):
        for summand in total.args:
            if letters_in(summand):
                smaller: Any = expr.xreplace({total: total - summand})
                yield smaller


@each
def test_no_term_of_the_closed_form_can_be_dropped(variant: Variant) -> None:
    values = point(variant, 1.0)
    own = {definition.letter for definition in variant.closed_form.where}
    for formula in weaker(variant.differential, own):
        assert disagree(variant, values, formula), f"nothing changes with {formula.value} {formula.where}"
