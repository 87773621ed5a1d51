"""Whatever the weights are, the average of equal tokens is that token."""

import sympy as sp

from bounds.notation import norm_V

from ..facts import QUOTIENT, SINGULAR_VECTORS
from ..proof import Proof
from ..row import average
from ..steps import Concludes, Fact, Identity

_x: sp.Matrix = sp.Matrix(sp.symbols("x_1:3", real=True))

PROOF = Proof(
    "lower-equal-tokens",
    definitions=(r"all tokens are $x_i = 0$ and all changes $e_i = v$",),
    steps=(
        Fact(r"There is a unit vector $v$ with $|V v| = \|V\|$.", SINGULAR_VECTORS, letters={"M": "$V$"}),
        Identity(
            r"While all tokens are the same $x$, every row that sees a token has the average $\sum_j P_{ij} x = x$.",
            lhs=average([_x, _x, _x]),
            rhs=_x,
            sizes="n = 3 tokens of size d = 2, weights that sum to one",
        ),
        Fact(
            r"So along $E$ every output moves by $V v$: with $n$ tokens $|D f(X)[E]| = \sqrt n \|V\|$, and $|E| = "
            r"\sqrt n$.",
            QUOTIENT,
            letters={"f": "the head", "K": "the ball", "X": "$0$", "E": r"$(v, \dots, v)$"},
            because={"inside": "the radius is positive"},
        ),
        Concludes(r"The constant is at least $\|V\|$.", bound=norm_V),
    ),
)
