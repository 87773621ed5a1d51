"""Which theorems are proved, as a file for readers that do not carry the proofs: `python -m proofs --record` writes it.

A theorem is proved when it has a proof without an open step, and so have all theorems that it cites.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import bounds

from .proof import Proof

PLACE = Path(bounds.__file__).with_name("proof_status.json")
NOTE = "written by `python -m proofs --record`: what is open in the proof of each theorem that has one; never edit"


def open_in(theorem_id: str, proofs: Mapping[str, Proof], above: tuple[str, ...] = ()) -> list[str]:
    """What is missing for a theorem, in the order of its proof; nothing where it is proved."""
    if theorem_id in above:
        return [f"the proof goes in a circle: {' -> '.join((*above, theorem_id))}"]
    if theorem_id not in proofs:
        return [f"{theorem_id} has no proof"]
    proof = proofs[theorem_id]
    inherited = (missing for cited in proof.cited for missing in open_in(cited, proofs, (*above, theorem_id)))
    return [*proof.open_steps, *dict.fromkeys(inherited)]


def document(proofs: Mapping[str, Proof]) -> str:
    status = {theorem_id: open_in(theorem_id, proofs) for theorem_id in sorted(proofs)}
    return json.dumps({"note": NOTE, "open": status}, indent=1, ensure_ascii=False) + "\n"
