"""What a certificate adds to save a search: lam_i, and the factors r_ij of the block Schur test. None is believed."""

import math
import struct
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from .document import Document, array_bytes, number
from .report import Refused

NEEDED = {"local-covariance": ("lam",), "local-schur": ("lam", "r")}  # by the theorem of the step


def check_hints(document: Document, steps: Mapping[str, Any]) -> None:
    """Every hint belongs to a step that needs it, and has the form that it needs.

    Raises:
        Refused: the first that does not.
    """
    for step, hints in document["proof"]["hints"].items():
        if step not in steps:
            raise Refused(f"proof.hints.{step}", "is no step of the proof")
        for name in hints:
            if name not in NEEDED.get(steps[step]["theorem"], ()):
                raise Refused(f"proof.hints.{step}.{name}", f"is not needed for {steps[step]['theorem']}")
            _READERS[name](document, step)


def upper_eigenvalues(document: Document, step: str) -> list[Fraction]:
    """The hint lam of the step, (n,).

    Raises:
        Refused: it is missing or has another length.
    """
    count, place = document["object"]["n"], f"proof.hints.{step}.lam"
    texts = hint(document, step, "lam")
    if len(texts) != count:
        raise Refused(place, f"has {len(texts)} numbers for {count} tokens")
    return [Fraction(number(text)) for text in texts]


def factors(document: Document, step: str) -> list[list[Fraction]]:
    """The hint r of the step, (n, n).

    Raises:
        Refused: it is missing, has another shape, or a number that is not positive and finite (under a mask: negative).
    """
    count, place = document["object"]["n"], f"proof.hints.{step}.r"
    stored = hint(document, step, "r")
    if stored["shape"] != [count, count]:
        raise Refused(f"{place}.shape", f"{stored['shape']} is not [n, n] = [{count}, {count}]")
    values = struct.unpack(f"<{count * count}f", array_bytes(place, stored))
    unseen = document["proof"]["geometry"]["masked"]  # what token i does not see has r_ij = 0
    if not all(0 < value < math.inf or (unseen and value == 0) for value in values):
        raise Refused(f"{place}.base64", "holds a number that is not positive and finite")
    return [[Fraction(value) for value in values[i * count : (i + 1) * count]] for i in range(count)]


def hint(document: Document, step: str, name: str) -> Any:
    """What the certificate holds. Raises Refused where it holds nothing."""
    hints = document["proof"]["hints"].get(step, {})
    if name not in hints:
        raise Refused(f"proof.hints.{step}.{name}", "is missing: without it the step's inputs cannot be proved")
    return hints[name]


_READERS: Mapping[str, Callable[[Document, str], object]] = {"lam": upper_eigenvalues, "r": factors}
