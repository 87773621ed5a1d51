"""A polynomial of degree three in the tokens: three factors, three terms."""

from bounds.notation import beta, norm_V, rho

from ..ball import ON_THE_BALL
from ..facts import BLOCK_DIAGONAL, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact
from ..unnormalized import SECOND_MOMENT, all_rows, row_moves

PROOF = Proof(
    "linear-attention",
    definitions=(
        r"$b_i = A x_i + a$; every token has $|x_i| \le R$; $\rho = R^2 \|A\|$ and $\beta = R (R \|A\| + \|a\|)$",
    ),
    steps=(
        row_moves(
            lambda s: s,
            lambda s: 1,
            r"$n (Df(X)[E])_i = V (\sum_j x_j x_j^\top) A e_i + \sum_j V (x_j b_i^\top + \langle b_i, x_j\rangle I) "
            r"e_j$.",
        ),
        *SECOND_MOMENT,
        Fact(
            r"So the term with $e_i$, divided by $n$, is a map of norm at most $\|V\| R^2 \|A\| = \|V\| \rho$.",
            BLOCK_DIAGONAL,
            letters={"D_i": r"$\tfrac1n V (\sum_j x_j x_j^\top) A$"},
        ),
        all_rows(r"$\tfrac2n \|V\| \beta$"),
        Fact(
            r"The two maps together have at most the sum of their norms.",
            TRIANGLE,
            letters={"S": "the block-diagonal map", "T": "the other"},
        ),
        ON_THE_BALL,
        Concludes(r"The constant is $\|V\| (\rho + 2 \beta)$.", bound=norm_V * (rho + 2 * beta)),
    ),
)
