"""What the tests of the shelf share: one parametrisation, and the letters and sizes that a variant needs."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
import sympy as sp

import bounds
from bounds import Variant
from bounds.formula import Letter, letters_in
from bounds.letters import INDICES

every_variant = pytest.mark.parametrize("variant", [pytest.param(v, id=v.id) for v in bounds.variants()])

OTHER_SIZES = 2  # of a size that no line below names
SMALL = {"k": 1, "c": 1}
LARGER = {"n": 3, "d": 4, "D": 3, "H": 4, "T": 3}


def expressions(variant: Variant) -> tuple[sp.Expr, ...]:
    """Everything that the map and its derivative consist of."""
    return (*variant.map.expressions, *variant.closed_form.expressions)


def sizes(variant: Variant, chosen: Mapping[str, int]) -> dict[Any, int]:
    """A number for every size in the variant."""
    found = {symbol for letter in outer_letters(variant) for symbol in sp.Tuple(*letter.shape or ()).free_symbols}
    found |= {symbol for expr in expressions(variant) for symbol in expr.free_symbols}
    integers = {symbol for symbol in found if isinstance(symbol, sp.Symbol) and symbol.is_integer}
    return {size: chosen.get(size.name, OTHER_SIZES) for size in integers - set(INDICES)}


def numbers(variant: Variant) -> list[sp.Symbol]:
    """The symbols that are neither sizes nor indices nor names of letters, such as a temperature."""
    exprs = expressions(variant)
    names = {letter.label for expr in exprs for letter in letters_in(expr)}
    found = {symbol for expr in exprs for symbol in expr.free_symbols if isinstance(symbol, sp.Symbol)}
    return sorted((symbol for symbol in found - names if not symbol.is_integer), key=str)


def outer_letters(variant: Variant) -> list[Letter]:
    """Inputs, directions and weights: the letters that no definition has."""
    used = {letter for expr in expressions(variant) for letter in letters_in(expr)}
    used |= {*variant.inputs, *variant.inputs.values()}
    return sorted((letter for letter in used if letter.shape is not None), key=str)


def entries(shape: Any, sizes: Mapping[Any, int]) -> Iterator[tuple[int, ...]]:
    """Every index of a letter of that shape, counted from 1."""
    return product(*(range(1, int(sp.sympify(length).subs(sizes)) + 1) for length in shape))


def outputs(variant: Variant, sizes: Mapping[Any, int]) -> list[dict[Any, int]]:
    """Every value of the free indices of the output."""
    return [dict(zip(variant.output, at, strict=True)) for at in entries(variant.output.values(), sizes)]
