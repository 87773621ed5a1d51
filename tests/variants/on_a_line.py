"""A variant written out on a line through input space: a function of one symbol, with whole numbers for the rest."""

import random
from typing import Any

import sympy as sp

from bounds import Variant
from bounds.formula import Formula
from bounds.written_out import WrittenOut
from tests.variants.shelf import SMALL, entries, numbers, outer_letters, outputs, sizes

TIME = sp.Symbol("time", real=True)


def values_on_a_line(variant: Variant, seed: int = 0) -> dict[Any, Any]:
    """Whole numbers for all letters; the inputs are those plus TIME times their directions."""
    draw = random.Random(f"{variant.id} {seed}")
    size = sizes(variant, SMALL)
    letters: dict[Any, Any] = {
        letter: {at: sp.Integer(_drawn(draw, letter)) for at in entries(letter.shape, size)}
        for letter in outer_letters(variant)
    }
    for start, direction in variant.inputs.items():
        letters[start] = {at: value + TIME * letters[direction][at] for at, value in letters[start].items()}
    return {**size, **{number: sp.Integer(draw.randint(1, 3)) for number in numbers(variant)}, **letters}


def _drawn(draw: random.Random, letter: Any) -> int:
    return draw.choice((1, 2, 3) if letter.label.is_nonnegative else (-3, -2, -1, 1, 2, 3))


def written(variant: Variant, formula: Formula, values: dict[Any, Any]) -> list[Any]:
    """Every entry of the output."""
    exact = WrittenOut(formula, values)
    return [exact.at(at) for at in outputs(variant, values)]


def vanishes(expr: Any) -> bool:
    """Proves that a function of TIME is 0 everywhere: exponentials and roots in it are independent once normalised.

    False says only that no proof was found.
    """
    plain = expr.rewrite((sp.cos, sp.sin, sp.tanh), sp.exp)
    roots = {root for root in plain.atoms(sp.Pow) if root.exp.is_Rational and not root.exp.is_Integer}
    names = {root.base: sp.Dummy() for root in roots if root.base.has(TIME)}
    plain = plain.replace(
        lambda part: part.is_Pow and part.base in names and part.exp.is_Rational,
        lambda part: names[part.base] ** (2 * part.exp),
    )
    numerator = sp.expand(sp.fraction(sp.together(plain))[0])
    for base, root in names.items():
        numerator = sp.rem(sp.expand(numerator), root**2 - sp.expand(base), root) if numerator.has(root) else numerator
    return sp.expand(numerator) == 0
