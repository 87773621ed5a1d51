"""The whole check in order: the file, what it shows, every step again, and with the weights every input of a step."""

import json
import sys
from pathlib import Path
from typing import Any

from .consistency import assumptions, check_bounds, check_object, unproved
from .derivation import rederive
from .document import read
from .report import Refused, Report, Unreadable, printable

TERMS = Path(__file__).resolve().parent.parent / "theorem_terms.json"
LONGEST_LINE = 1000  # of an error: a place may be as long as the certificate wants
USAGE = "usage: python -m certify.checker CERTIFICATE [--weights MODEL]"


def check(certificate: str | Path, weights: str | Path | None = None) -> Report:
    """Derive every bound of a certificate again from its own inputs, and with the weights prove those inputs too.

    `weights` is the model's safetensors file or the folder that holds it. The report says what was proved, what had to
    be taken as given, and which shown numbers rest on that: without the weights all of them; with the weights those
    whose inputs no proof in integers reaches (a deflated Gram matrix, what depends on a mask that no file holds).
    Every other input is proved or the certificate is refused.

    Raises:
        Refused: the certificate does not prove what it shows.
        Unreadable: a file is missing or not of its format.
    """
    document = read(certificate)
    tokens = check_object(document)
    steps = rederive(document, theorems())
    shown, seen = check_bounds(document, steps)
    proved = [f"re-derived from the certificate's inputs: {len(steps)} bounds ({shown} places show one)"]
    if weights is None:
        given = [
            "the certificate's own inputs of every step (norms and local quantities): give the weights to prove them"
        ]
        if seen:
            given.append(f"{len(document['proof']['witnesses'])} witnesses ({seen} places show one)")
        witnesses = [witness["id"] for witness in document["proof"]["witnesses"]]
        given += assumptions(document)
        return Report(tuple(proved), tuple(given), tuple(unproved(document, [*steps, *witnesses])))
    from .reproof import reprove  # the larger half of the checker is read only when it is needed

    again = reprove(document, tokens, weights)
    return Report((*proved, *again.proved), again.given, again.unproved)


def theorems() -> dict[str, Any]:
    """The theorems' terms by id."""
    try:
        return json.loads(TERMS.read_bytes())
    except (OSError, ValueError) as error:
        raise Unreadable(f"{TERMS}: {error}") from error


def main(argv: list[str] | None = None) -> int:
    """Check the certificate named in `argv` and print the report, or one line of reason on stderr.

    Exit status 0 only if every bound follows from the certificate's inputs and, with --weights, those inputs were
    proved but for what is printed as taken as given; 1 if the certificate is refused, 2 if a file cannot be read.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    weights = None
    if "--weights" in arguments[:-1]:
        place = arguments.index("--weights")
        weights = arguments[place + 1]
        del arguments[place : place + 2]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        report = check(arguments[0], weights)
    except Refused as refusal:
        print(_line("refused", refusal), file=sys.stderr)
        return 1
    except Unreadable as error:
        print(_line("unreadable", error), file=sys.stderr)
        return 2
    for line in report.lines:
        print(line)
    return 0


def _line(kind: str, error: Exception) -> str:
    text = printable(f"{kind}: {error}")
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE // 2]}...{text[-LONGEST_LINE // 2 :]}"
