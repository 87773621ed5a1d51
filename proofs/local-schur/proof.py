"""The block Schur test: Cauchy-Schwarz in every row with weights of our own choice."""

from typing import Any

import sympy as sp

from bounds.notation import schur_column

from ..facts import AVERAGE, BLOCK_ROW
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_three = range(3)
_w = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"w_{i + 1}{j + 1}", positive=True))
_lam = sp.symbols("lambda_1:4", positive=True)
_q = sp.symbols("q_1:4", positive=True)
_N: Any = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"N_{i + 1}{j + 1}", positive=True))

PROOF = Proof(
    "local-schur",
    definitions=(
        r"$B_{ij}$ is block $(i, j)$ of the Jacobian of one head, or of the whole map, at $X$, the block on the "
        r"diagonal included; $w_{ij} > 0$ are weights of our own choice, and a block that is zero may be left out",
        r"$\lambda_i = \lambda_{\max}(\sum_j B_{ij} B_{ij}^\top / w_{ij})$ and $\sigma_w \ge \max_j \sum_i w_{ij} "
        r"\lambda_i$",
    ),
    steps=(
        Fact(
            r"In row $i$, $|\sum_j B_{ij} e_j|^2 \le \lambda_i \sum_j w_{ij} |e_j|^2$.",
            BLOCK_ROW,
            letters={"B_j": r"$B_{ij} / \sqrt{w_{ij}}$", "e_j": r"$\sqrt{w_{ij}}\, e_j$"},
        ),
        Identity(
            r"Summed over the rows, with the sums exchanged: $\sum_i \lambda_i \sum_j w_{ij} |e_j|^2 = \sum_j |e_j|^2 "
            r"\sum_i w_{ij} \lambda_i$.",
            lhs=sum((_lam[i] * _w[i, j] * _q[j] for i in _three for j in _three), sp.S.Zero),
            rhs=sum((_q[j] * sum(_w[i, j] * _lam[i] for i in _three) for j in _three), sp.S.Zero),
            sizes="n = 3, every entry a symbol",
        ),
        Fact(
            r"This is at most $\sigma_w \|E\|_F^2$.",
            AVERAGE,
            letters={"q": r"$|e_j|^2$", "t": r"$\sum_i w_{ij} \lambda_i$"},
            because={"nonnegative": "a squared norm is not negative"},
        ),
        Identity(
            r"The weights $w_{ij} = N_{ij} / q_j$ with $N_{ij} = |B_{ij}|$ and positive $q$ lose nothing against the "
            r"norm of $N$: then $\lambda_i \le \sum_j N_{ij}^2 / w_{ij} = (N q)_i$, and column $j$ is at most "
            r"$(N^\top N q)_j / q_j$, which is $|N|^2$ where $N^\top N q = |N|^2 q$.",
            lhs=sp.Matrix([sum(_N[i, j] ** 2 / (_N[i, j] / _q[j]) for j in _three) for i in _three]),
            rhs=_N * sp.Matrix(_q),
            sizes="n = 3, every entry a symbol",
        ),
        Concludes(r"$\|Df(X)\| \le \sqrt{\sigma_w}$.", bound=sp.sqrt(schur_column)),
    ),
)
