"""Deflation asks nothing of the matrix but how far it is from the Jacobian."""

import sympy as sp

from bounds.notation import deflated_norm, distance

from ..deflation import DEFINITIONS, STEPS
from ..proof import Proof
from ..steps import Concludes

PROOF = Proof(
    "written-out-deflation",
    definitions=DEFINITIONS,
    steps=(
        *STEPS,
        Concludes(r"$\|Df(X)\| \le \varepsilon + \sqrt{\theta}$.", bound=distance + sp.sqrt(deflated_norm)),
    ),
)
