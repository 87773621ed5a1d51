"""A variant is one record: a map in indexed sums, and its directional derivative in closed form, typed by hand."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

import sympy as sp

from .errors import VariantDataError
from .formula import Formula, Letter, letters_in
from .letters import INDICES


@dataclass(frozen=True, eq=False)
class Variant:
    """An attention map or a layer around one, checked when it is built.

    The id is the file's name with hyphens. `map` is the entry `output[entry]` of f, for symbolic sizes; `closed_form`
    is the same entry of the derivative of f along the directions `inputs` gives to the inputs. Its definitions may use
    letters of the map.

    Raises VariantDataError for a letter without definition or shape, a letter defined twice, a direction in the map,
    a free index, or an empty text.
    """

    module: str
    _: KW_ONLY
    title: str
    statement: str
    map: Formula
    closed_form: Formula
    inputs: Mapping[Letter, Letter]  # each with the direction in which it moves
    output: Mapping[sp.Symbol, sp.Symbol]  # the free indices and how far each goes
    hypotheses: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not (self.title.strip() and self.statement.strip()):
            raise VariantDataError(f"{self.id}: the title or the statement is empty")
        _check_letters(self)
        _check_indices(self)

    @property
    def id(self) -> str:
        return self.module.rpartition(".")[2].replace("_", "-")

    @property
    def differential(self) -> Formula:
        """The closed form with the definitions of the map before its own."""
        return Formula(self.closed_form.value, (*self.map.where, *self.closed_form.where))

    def derive(self) -> Formula:
        """The derivative of the map along the directions, found by the rules of `bounds.jacobian`, for symbolic sizes.

        It equals the closed form, but is not simplified.
        """
        from .jacobian import directional_derivative

        return directional_derivative(self.map, self.inputs)

    def latex(self) -> str:
        """A paragraph with the map, its derivative in closed form, and all letters that they define."""
        from .variant_latex import paragraph

        return paragraph(self)

    def _repr_latex_(self) -> str:
        from .variant_latex import derivative_equation

        return f"$\\displaystyle {derivative_equation(self)}$"


def _check_letters(variant: Variant) -> None:
    defined = [definition.letter for definition in variant.differential.where]
    twice = sorted({str(letter) for letter in defined if defined.count(letter) > 1})
    if twice:
        raise VariantDataError(f"{variant.id}: {', '.join(twice)} is defined twice")
    directions = set(variant.inputs.values())
    if any(letters_in(expr) & directions for expr in variant.map.expressions):
        raise VariantDataError(f"{variant.id}: the map holds a direction; only its derivative may")
    used = {letter for expr in variant.differential.expressions for letter in letters_in(expr)}
    unknown = sorted(str(letter) for letter in used - set(defined) if letter.shape is None)
    if unknown:
        raise VariantDataError(f"{variant.id}: {', '.join(unknown)} has neither a definition nor a shape")


def _check_indices(variant: Variant) -> None:
    bound = [(variant.map.value, set(variant.output)), (variant.closed_form.value, set(variant.output))]
    bound += [(item.right, set(item.indices)) for item in variant.differential.where]
    for expr, allowed in bound:
        free = sorted(str(index) for index in (expr.free_symbols & set(INDICES)) - allowed)
        if free:
            raise VariantDataError(f"{variant.id}: the index {', '.join(free)} is free in {expr}")
