"""Weights at most sigmoid(beta), slopes at most a quarter."""

import sympy as sp

from bounds.notation import beta, n, norm_V, rho
from certify.inequality import Claim, HalfLine

from ..ball import ON_THE_BALL
from ..facts import BLOCK_DIAGONAL, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity, Inequality
from ..unnormalized import SECOND_MOMENT, all_rows, row_moves

_s, _w = sp.symbols("s w", real=True)
_gap = sp.Symbol("g", real=True)
_u, _E = sp.symbols("u E", real=True)

PROOF = Proof(
    "sigmoid-attention",
    definitions=(
        r"$b_i = A x_i + a$; every token has $|x_i| \le R$; $\rho = R^2 \|A\|$ and $\beta = R (R \|A\| + \|a\|)$",
        r"$w_{ij}$ is the sigmoid of $\langle b_i, x_j\rangle$, and $w_{ij}'$ its derivative",
    ),
    steps=(
        Identity(
            r"The derivative of $w = 1 / (1 + e^{-s})$ is $w (1 - w)$.",
            lhs=sp.diff(1 / (1 + sp.exp(-_s)), _s),
            rhs=(1 / (1 + sp.exp(-_s))) * (1 - 1 / (1 + sp.exp(-_s))),
            sizes="s a symbol",
        ),
        Identity(
            r"It is at most a quarter: $1/4 - w (1 - w) = (w - 1/2)^2$.",
            lhs=sp.Rational(1, 4) - _w * (1 - _w),
            rhs=(_w - sp.Rational(1, 2)) ** 2,
            sizes="w a symbol",
        ),
        row_moves(
            lambda s: 1 / (1 + sp.exp(-s)),
            lambda s: sp.exp(-s) / (1 + sp.exp(-s)) ** 2,
            r"$(Df(X)[E])_i = V (\sum_j w_{ij}' x_j x_j^\top) A e_i + \sum_j V (w_{ij}' x_j b_i^\top + w_{ij} I) e_j$.",
        ),
        *SECOND_MOMENT,
        Fact(
            r"With $w_{ij}' \le 1/4$ the term with $e_i$ is a map of norm at most $n \|V\| \rho / 4$.",
            BLOCK_DIAGONAL,
            letters={"D_i": r"$V (\sum_j w_{ij}' x_j x_j^\top) A$"},
        ),
        Inequality(
            r"A score is $\beta - g$ with $g \ge 0$, and $1 - e^{-g} \ge 0$: so $w_{ij} = 1 / (1 + e^{g - \beta}) \le "
            r"1 / (1 + e^{-\beta})$.",
            Claim(1 - sp.exp(-_gap), (HalfLine(_gap, _u, _E),), form=1 - _E),
        ),
        all_rows(r"$\|V\| (1 / (1 + e^{-\beta}) + \beta / 4)$"),
        Fact(
            r"The two maps together have at most the sum of their norms.",
            TRIANGLE,
            letters={"S": "the block-diagonal map", "T": "the other"},
        ),
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| n (1 / (1 + e^{-\beta}) + (\rho + \beta) / 4)$.",
            bound=norm_V * (n * rho / 4 + n * (1 / (1 + sp.exp(-beta)) + beta / 4)),
        ),
    ),
)
