"""Two orthogonal parts of the outputs, and the Schur test for the two by two matrix of the norms between them."""

import sympy as sp

from bounds.notation import deflated_norm, distance

from ..deflation import DEFINITIONS, STEPS
from ..proof import Proof
from ..steps import Concludes

PROOF = Proof(
    "local-deflation",
    definitions=DEFINITIONS,
    steps=(
        *STEPS,
        Concludes(r"$\|Df(X)\| \le \varepsilon + \sqrt{\theta}$.", bound=distance + sp.sqrt(deflated_norm)),
    ),
)
