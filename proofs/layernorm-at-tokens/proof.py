"""The Jacobian lies between zero and the map without the division."""

from bounds.notation import gamma_max, inverse_deviation

from ..normalization import MEANLESS, letters, steps
from ..proof import Proof
from ..steps import Concludes

PROOF = Proof(
    "layernorm-at-tokens",
    definitions=letters("the projection off the constant vectors", "the variance"),
    steps=(
        *steps(MEANLESS),
        Concludes(
            r"The largest over the tokens is $\|\gamma\|_\infty \max_i \sigma_i^{-1}$.",
            bound=gamma_max * inverse_deviation,
        ),
    ),
)
