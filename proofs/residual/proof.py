"""The identity and the branch, by the triangle inequality."""

import sympy as sp

from bounds.notation import branch

from ..facts import TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact

PROOF = Proof(
    "residual",
    definitions=(r"$L_g$ is a Lipschitz constant of $g$ on a set of inputs",),
    steps=(
        Fact(
            r"$|x + g(x) - y - g(y)| \le |x - y| + |g(x) - g(y)| \le (1 + L_g) |x - y|$.",
            TRIANGLE,
            letters={"S": "the change of the identity", "T": "the change of the branch"},
        ),
        Concludes(r"The constant is $1 + L_g$.", bound=sp.Integer(1) + branch),
    ),
)
