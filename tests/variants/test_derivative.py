"""The closed form is the derivative, for symbolic time: of the map written out, and of what the rules derive."""

import sympy as sp

from bounds import Variant
from tests.variants.on_a_line import TIME, values_on_a_line, vanishes, written
from tests.variants.shelf import every_variant


@every_variant
def test_the_closed_form_is_what_sympy_differentiates(variant: Variant) -> None:
    values = values_on_a_line(variant)
    closed = written(variant, variant.differential, values)
    differentiated = [sp.diff(entry, TIME) for entry in written(variant, variant.map, values)]
    assert any(entry != 0 for entry in closed)
    for one, other in zip(closed, differentiated, strict=True):
        assert vanishes(one - other)


@every_variant
def test_the_closed_form_is_what_the_rules_derive(variant: Variant) -> None:
    values = values_on_a_line(variant)
    closed = written(variant, variant.differential, values)
    for one, other in zip(closed, written(variant, variant.derive(), values), strict=True):
        assert vanishes(one - other)
