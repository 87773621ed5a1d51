"""Dropping any one term of a closed form is noticed: the comparison with torch is shown to be able to fail."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from bounds import Variant
from bounds.formula import Formula
from tests.variants.at_a_point import point
from tests.variants.shelf import every_variant
from tests.variants.test_torch import RELATIVE, differentiated, relative_difference


def without_one_term(expr: sp.Basic) -> Iterator[Any]:
    """The expression without one term, for every term of every sum in it outside indices, limits and conditions."""
    if isinstance(expr, sp.Indexed | sp.Tuple | sp.logic.boolalg.Boolean):
        return
    for at, part in enumerate(expr.args):
        for changed in without_one_term(part):
            yield expr.func(*expr.args[:at], changed, *expr.args[at + 1 :])
    if expr.is_Add:
        yield from (expr.func(*(part for part in expr.args if part != dropped)) for dropped in expr.args)


def mutants(variant: Variant) -> Iterator[tuple[str, Formula]]:
    """The derivative without one term of the closed form or of a definition of its own, and what was changed."""
    whole = variant.differential
    for changed in without_one_term(whole.value):
        yield f"value {changed}", Formula(changed, whole.where)
    for at, definition in enumerate(whole.where):
        if definition in variant.closed_form.where:
            for changed in without_one_term(definition.right):
                mutant = replace(definition, right=changed)
                yield (
                    f"{mutant.left} = {changed}",
                    Formula(whole.value, (*whole.where[:at], mutant, *whole.where[at + 1 :])),
                )


@every_variant
def test_no_term_can_be_dropped(variant: Variant) -> None:
    at = point(variant, seed=4)
    expected = differentiated(at)[1]
    unnoticed = [what for what, mutant in mutants(variant) if relative_difference(at.of(mutant), expected) <= RELATIVE]
    assert unnoticed == []


def test_there_are_terms_to_drop() -> None:
    import bounds

    assert sum(1 for variant in bounds.variants() for _ in mutants(variant)) > 100
