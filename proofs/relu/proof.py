"""ReLU is half the sum of the identity and the absolute value."""

import sympy as sp

from ..facts import BLOCK_DIAGONAL, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_x = sp.Symbol("x", real=True)

PROOF = Proof(
    "relu",
    definitions=(r"$x$ is one entry",),
    steps=(
        Identity(
            r"$\max(x, 0) = (x + |x|) / 2$.", lhs=sp.Max(_x, 0).rewrite(sp.Abs), rhs=(_x + sp.Abs(_x)) / 2, sizes="x"
        ),
        Fact(
            r"$|\max(x, 0) - \max(y, 0)| \le (|x - y| + ||x| - |y||) / 2 \le |x - y|$.",
            TRIANGLE,
            letters={"S": "the change of $x / 2$", "T": "the change of $|x| / 2$"},
        ),
        Fact(
            "Entry by entry, no difference gets longer.",
            BLOCK_DIAGONAL,
            letters={"D_i": "the quotient of the two differences of one entry, between $-1$ and $1$"},
        ),
        Concludes("The constant is one.", bound=sp.Integer(1)),
    ),
)
