"""`certify bounds`: the closed forms for given norms, side by side."""

import json
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from ..norms import norm_options

if TYPE_CHECKING:
    from ...closed_forms import ClosedForm

DIGITS = 6
STDOUT = "-"


@click.command("bounds")
@norm_options(required=True)
@click.option("--json", "json_file", metavar="FILE", help="Write the bounds as JSON; - prints them, and nothing else.")
def bounds_command(
    n: int,
    norm_a: Fraction,
    norm_v: Fraction,
    radius: Fraction,
    norm_query_bias: Fraction,
    contrast: Fraction | None,
    positive: bool,
    causal: bool,
    json_file: str | None,
) -> int:
    """Print every closed form that applies to one softmax head on tokens in a ball, tightest first."""
    from ...closed_forms import closed_forms

    values: dict[str, int | Fraction] = {
        "n": n,
        "R": radius,
        "norm_A": norm_a,
        "norm_a": norm_query_bias,
        "norm_V": norm_v,
        **({} if contrast is None else {"contrast": contrast}),
    }
    found = closed_forms(values, causal=causal, positive=positive)
    if json_file is not None:
        _write(json_file, _document(values, {"causal": causal, "positive_scores": positive}, found))
    if json_file != STDOUT:
        _show(found)
    return 0


def _document(values: dict[str, int | Fraction], scores: dict[str, bool], found: list["ClosedForm"]) -> dict[str, Any]:
    """The Bound JSON of a head known by its norms only."""
    candidates = [form.bound.as_json() for form in found]
    return {
        "schema": "attention-bounds/1",
        "object": {**scores, **{name: str(value) for name, value in values.items()}},
        "domain": {"kind": "ball", "radius": str(values["R"])},
        "map_norm": "l2",
        "upper": candidates[0],
        "candidates": candidates,
    }


def _write(place: str, document: dict[str, Any]) -> None:
    from ...atomic_file import write_whole
    from ...errors import InputError

    text = json.dumps(document, indent=1, sort_keys=True, allow_nan=False) + "\n"
    if place == STDOUT:
        sys.stdout.write(text)
    else:
        write_whole(place, text.encode(), InputError)


def _show(found: list["ClosedForm"]) -> None:
    from rich.console import Console
    from rich.table import Table

    from ...outcome import NoBound

    table = Table("upper", "guarantee", "theorem", "source", "title", box=None, pad_edge=False)
    notes = []
    for form in found:
        theorem, bound = form.theorem, form.bound
        if isinstance(bound, NoBound):
            table.add_row("no bound", "", theorem.id, theorem.source, theorem.title)
            notes.append(f"no bound ({theorem.id}): {bound.reason}")
        else:
            table.add_row(bound.shown(DIGITS), str(bound.guarantee), theorem.id, theorem.source, theorem.title)
    console = Console(highlight=False)
    console = console if console.is_terminal else Console(highlight=False, width=140)
    console.print(table)
    for note in notes:
        console.print(note, markup=False, soft_wrap=True)


COMMAND = bounds_command
