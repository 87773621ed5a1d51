"""`python -m proofs [ID...]`: runs proofs step by step; exit status 0 only if every step holds.

With --record it writes bounds/proof_status.json instead, with --tex FILE a LaTeX document of all statements and proofs
and, beside it, tightness.pdf, a picture of how tight they are: that is proved for it, in about two minutes.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import bounds
from certify.tightness import latex, table
from certify.tightness.picture import save_picture

from . import record, shelf
from .document import document, tightness_section
from .proof import Proof


def main(arguments: Sequence[str]) -> int:
    """Runs the named proofs, or all and a list of the theorems that have none."""
    proofs = shelf()
    if list(arguments) == ["--record"]:
        record.PLACE.write_text(record.document(proofs), encoding="utf-8")
        return 0
    if len(arguments) == 2 and arguments[0] == "--tex":
        return write_document(proofs, Path(arguments[1]))
    for theorem_id in arguments:
        if theorem_id not in proofs:
            print(f"no proof of {theorem_id!r}: there are {', '.join(proofs)}", file=sys.stderr)
            return 2
    chosen = [proofs[theorem_id] for theorem_id in arguments] or list(proofs.values())
    held = [run(proof) for proof in chosen]
    missing = [theorem.id for theorem in bounds.theorems() if theorem.id not in proofs and not arguments]
    for theorem_id in missing:
        print(f"{theorem_id}\n     OPEN: no proof here\n")
    return 0 if all(held) and not missing else 1


def write_document(proofs: Mapping[str, Proof], place: Path) -> int:
    """The document and its picture; exit status 1, and neither, where some tightness is not proved."""
    rows = table()
    if not all(row.proved for row in rows):
        print("the tightness of the closed forms is not proved: run python -m certify.tightness", file=sys.stderr)
        return 1
    picture = save_picture(rows, place.with_name("tightness.pdf"))
    place.write_text(document(proofs, tightness_section(latex(rows), picture.name)), encoding="utf-8")
    return 0


def run(proof: Proof) -> bool:
    """Prints each step with its verdict; whether all hold."""
    started = time.monotonic()
    print(f"{proof.theorem}")
    all_hold = True
    for number, (step, outcome) in enumerate(proof.run(), start=1):
        word = outcome.word if outcome.holds else outcome.word.upper()
        print(f"{number:4} {type(step).__name__:<11} {word:<9} {outcome.detail}", flush=True)
        all_hold = all_hold and outcome.holds
    print(f"{'':4} {'all steps hold' if all_hold else 'NOT PROVED'} ({time.monotonic() - started:.1f} s)\n")
    return all_hold


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
