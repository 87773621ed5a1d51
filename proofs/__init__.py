"""Why the theorems are true: one folder a theorem, `proofs/<id>/proof.py`, with one constant PROOF.

`python -m proofs compact-softmax` runs one proof step by step, `python -m proofs` all of them.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from .proof import Proof

HERE = Path(__file__).parent


@cache
def shelf() -> dict[str, Proof]:
    """Every proof by the id of its theorem, which is the name of its folder.

    Raises ValueError for a folder whose file holds no PROOF of that theorem.
    """
    found = {}
    for path in sorted(HERE.glob("*/proof.py")):
        proof = getattr(import_module(f"{__name__}.{path.parent.name}.proof"), "PROOF", None)
        if not isinstance(proof, Proof) or proof.theorem != path.parent.name:
            raise ValueError(f"{path}: such a file holds one PROOF = Proof({path.parent.name!r}, ...)")
        found[proof.theorem] = proof
    return found
