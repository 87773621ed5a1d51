"""`certify latex`: theorems and attention variants for a paper."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from ..norms import norm_options

if TYPE_CHECKING:
    from bounds import Theorem


@click.command("latex")
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--bib", is_flag=True, help="Print the BibTeX entries of the sources too.")
@click.option("--table", is_flag=True, help="Print a table of all closed forms that apply to the norms given.")
@norm_options(required=False)
def latex_command(
    ids: tuple[str, ...],
    bib: bool,
    table: bool,
    n: int | None,
    norm_a: Fraction | None,
    norm_v: Fraction | None,
    radius: Fraction | None,
    norm_query_bias: Fraction,
    contrast: Fraction | None,
    positive: bool,
    causal: bool,
) -> int:
    """Print theorems as LaTeX: statement, hypotheses, formula, letters and source; or a table of closed forms.

    The id of an attention variant prints its map and its Jacobian in closed form.
    """
    import bounds

    from ...errors import InputError

    if not ids and not table:
        raise InputError("nothing to print: give the id of a theorem (certify list shows them) or --table")
    known = {variant.id: variant for variant in bounds.variants()}
    wanted = [known[item] if item in known else bounds.theorem(item) for item in ids]
    theorems = [item for item in wanted if isinstance(item, bounds.Theorem)]
    tabulated, text = [], ""
    if table:
        given = {"n": n, "R": radius, "norm_A": norm_a, "norm_a": norm_query_bias, "norm_V": norm_v}
        tabulated, text = _table(_all_given({**given, "contrast": contrast}), causal, positive)
    for item in wanted:
        print(item.latex())
    if text:
        print(text)
    if bib:
        for entry in dict.fromkeys(bounds.bibtex(theorem) for theorem in (*theorems, *tabulated)):
            if entry is not None:
                print(entry + "\n")
    return 0


def _all_given(values: Mapping[str, int | Fraction | None]) -> dict[str, int | Fraction]:
    """The values of a table, none of which may be missing."""
    from ...errors import InputError

    options = {"n": "--n", "R": "--radius", "norm_A": "--norm-a", "norm_V": "--norm-v"}
    missing = [option for name, option in options.items() if values[name] is None]
    if missing:
        raise InputError(f"--table needs numbers: give {', '.join(missing)} too")
    return {name: value for name, value in values.items() if value is not None}


def _table(values: Mapping[str, int | Fraction], causal: bool, positive: bool) -> tuple[list["Theorem"], str]:
    from ...closed_forms import closed_forms
    from ...report.latex_table import latex_table

    forms = closed_forms(values, causal=causal, positive=positive)
    return [form.theorem for form in forms], latex_table(values, forms)


COMMAND = latex_command
