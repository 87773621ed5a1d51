"""A projection and a diagonal matrix."""

import sympy as sp

from bounds.notation import centering, gamma_max

from ..facts import BLOCK_DIAGONAL, LOEWNER, SUBMULTIPLICATIVE
from ..normalization import MEANLESS
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

PROOF = Proof(
    "centernorm",
    definitions=(
        r"$\Pi = I - 1 1^\top / d$ takes the mean of a token away, and $\Gamma = \operatorname{diag}(\gamma)$",
    ),
    steps=(
        Identity(
            r"$\Pi$ is a symmetric projection.",
            lhs=sp.Matrix([MEANLESS * MEANLESS, MEANLESS.T]),
            rhs=sp.Matrix([MEANLESS, MEANLESS]),
            sizes="d = 3",
        ),
        Fact(
            r"So $0 \preceq \Pi \preceq I$ and $|\Pi| \le 1$.",
            LOEWNER,
            letters={"S": r"$\Pi$", "T": "$I$"},
            because={"ordered": r"$I - \Pi$ is a projection too"},
        ),
        Fact(
            r"The linear part for one token, $\tfrac{d}{d-1} \Gamma \Pi$, has at most the norm $\tfrac{d}{d-1} "
            r"\|\gamma\|_\infty$.",
            SUBMULTIPLICATIVE,
            letters={"S": r"$\tfrac{d}{d-1} \Gamma$", "T": r"$\Pi$"},
        ),
        Fact("Each token moves its own output only.", BLOCK_DIAGONAL, letters={"D_i": r"$\tfrac{d}{d-1} \Gamma \Pi$"}),
        Concludes(r"The constant is $\tfrac{d}{d-1} \|\gamma\|_\infty$.", bound=centering * gamma_max),
    ),
)
