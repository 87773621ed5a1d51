"""`certify layer`: bounds of one attention layer at one input, shown, as JSON and as a certificate."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ...progress import Progress

if TYPE_CHECKING:
    from ...layer_certificate import LayerCertificate

DEFAULT_TOKENS = 64  # of certify_layer, which is not imported for the help
STDOUT = "-"


class _Integer(click.ParamType):
    """An integer, decimal or hexadecimal as the JSON tells it."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return value if isinstance(value, int) else int(value, 0)
        except ValueError:
            self.fail(f"{value!r} is not an integer", param, ctx)


@click.command("layer")
@click.argument("model")
@click.option("--layer", type=click.IntRange(0), default=0, show_default=True, help="Which layer, counted from 0.")
@click.option("--head", type=click.IntRange(0), help="One head alone, before the output projection.")
@click.option("--text", metavar="FILE", help="UTF-8 text to feed the model; a chapter of Alice by default.")
@click.option("--input", "array", metavar="X.npy", help="The layer's input (n, d) itself, in place of a text.")
@click.option("--tokens", type=int, help=f"How many tokens of the text.  [default: {DEFAULT_TOKENS}]")
@click.option(
    "--tier",
    type=click.Choice(["fast", "tight", "exact", "probable"]),
    default="tight",
    show_default=True,
    help="fast: closed forms; tight: deflation, the norm to many digits; exact: a dense proof, n d up to 16000; "
    "probable: a random start, for long inputs.",
)
@click.option(
    "--block",
    type=click.Choice(["residual", "post-norm", "pre-norm"]),
    help="The attention with its residual connection and the model's own norm after or before it, as one map.",
)
@click.option("--failure", type=float, metavar="P", help="How likely a probable bound may be wrong.  [default: 1e-12]")
@click.option("--seed", type=_Integer(), metavar="N", help="Of its random numbers; a fresh one by default.")
@click.option("--json", "json_file", metavar="FILE", help="Write the bounds as JSON; - prints them, and nothing else.")
@click.option("--save", metavar="CERT", help="Write a certificate that `certify check` proves again.")
@click.option("--plot", metavar="FILE", help="Draw the bounds; the ending says the format: .svg, .pdf or .png.")
def layer_command(
    model: str,
    layer: int,
    head: int | None,
    text: str | None,
    array: str | None,
    tokens: int | None,
    tier: Any,
    block: Any,
    failure: float | None,
    seed: int | None,
    json_file: str | None,
    save: str | None,
    plot: str | None,
) -> int:
    """Bound the Jacobian of one attention layer at one input.

    MODEL is a folder with config.json and model.safetensors, such a file, or the name of an installed demo model
    (minilm). For every head and for the whole multi-head map this prints a proved upper bound on the spectral norm of
    the Jacobian at the input, a witness below it, and Lipschitz constants for whole sets of inputs.
    """
    from ...certify_layer import certify_layer
    from ...errors import InputError, NoEnclosure
    from ...layer_certificate import NOT_SAVED
    from ...outcome import NoBound

    if array is not None and (text is not None or tokens is not None):
        raise InputError("--input gives the layer's input itself: leave out --text and --tokens")
    if save is not None and tier == "probable":
        raise InputError(NOT_SAVED)
    _check_outputs(json_file, save, plot)
    with _progress() as progress:
        certificate = certify_layer(
            model,
            _array(array, model, layer),
            layer=layer,
            head=head,
            text=_text(text),
            tokens=tokens,
            tier=tier,
            block=block,
            failure=failure,
            seed=seed,
            progress=progress,
        )
    _write(certificate, json_file, save, plot)
    if json_file != STDOUT:
        _show(certificate, save)
    if isinstance(certificate.upper, NoBound):
        raise NoEnclosure(certificate.upper.reason)
    return 0


def _check_outputs(json_file: str | None, save: str | None, plot: str | None) -> None:
    """Refuse what cannot be written before the work begins."""
    from ...atomic_file import check_writable
    from ...errors import InputError

    for path in (json_file, save, plot):
        if path is not None and not (path is json_file and path == STDOUT):
            check_writable(path, InputError)
    if plot is not None:
        from ...report.chart import check_ending

        check_ending(plot)


def _write(certificate: "LayerCertificate", json_file: str | None, save: str | None, plot: str | None) -> None:
    if json_file is not None:
        document = json.dumps(certificate.summary(), indent=1, sort_keys=True, allow_nan=False) + "\n"
        if json_file == STDOUT:
            sys.stdout.write(document)
        else:
            from ...atomic_file import write_whole
            from ...errors import InputError

            write_whole(json_file, document.encode(), InputError)
    if save is not None:
        certificate.save(save)
    if plot is not None:
        from ...report.chart import save_chart

        save_chart(certificate, plot)


def _array(path: str | None, model: str, layer: int) -> Any:
    if path is None:
        return None
    from ...input_array import read_array
    from ...loaders import load

    return read_array(path, load(model, layer).attention)


def _text(path: str | None) -> str | None:
    if path is None:
        return None
    from ...texts import read_text

    return read_text(path)


def _show(certificate: "LayerCertificate", saved: str | None) -> None:
    from rich.console import Console

    from ...report.table import print_report

    console = Console(highlight=False)
    print_report(certificate, console)
    if saved is not None:
        console.print(f"Certificate: {saved}; prove it again with: certify check {saved}", soft_wrap=True, markup=False)


@contextmanager
def _progress() -> Iterator[Progress]:
    """What is being done, on stderr: a moving line where somebody watches, else only notes."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False, soft_wrap=True)

    def note(message: str) -> None:
        console.print(message, markup=False)

    if not console.is_terminal:
        yield Progress(step=lambda message: None, note=note)
        return
    with console.status("loading the model") as status:
        yield Progress(step=status.update, note=note)


COMMAND = layer_command
