"""The Jacobian lies between zero and the map without the division."""

import sympy as sp

from bounds.notation import gamma_max, inverse_deviation

from ..normalization import letters, steps
from ..proof import Proof
from ..steps import Concludes

PROOF = Proof(
    "rmsnorm-at-tokens",
    definitions=letters("the identity", "the mean square"),
    steps=(
        *steps(sp.eye(3)),
        Concludes(
            r"The largest over the tokens is $\|\gamma\|_\infty \max_i \sigma_i^{-1}$.",
            bound=gamma_max * inverse_deviation,
        ),
    ),
)
