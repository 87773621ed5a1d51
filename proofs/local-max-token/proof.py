"""One row at a time: its own score by the triangle inequality, the rest by Cauchy-Schwarz with its weights."""

import sympy as sp

from bounds.notation import covariance_term, row_term

from ..facts import AVERAGE, BLOCK_ROW, TRIANGLE
from ..moving_row import WEIGHTS_MOVE
from ..proof import Proof
from ..row import SIZES, A, C, M, average, b, e, p, tokens, x
from ..steps import Concludes, Fact, Identity

_change = [(A * e[0]).dot(x[j]) + b.dot(e[j]) for j in tokens]
_mean_change = sum(weight * change for weight, change in zip(p, _change, strict=True))

PROOF = Proof(
    "local-max-token",
    definitions=(r"the letters are those of the local bound by covariances, and $|e_j| \le 1$ for every token",),
    steps=(
        WEIGHTS_MOVE,
        Identity(
            r"So $(Df(X)[E])_i = V (C_i A e_i + \sum_j P_{ij} M_{ij} e_j)$.",
            lhs=average([(_change[j] - _mean_change) * x[j] + e[j] for j in tokens]),
            rhs=C * A * e[0] + average([M[j] * e[j] for j in tokens]),
            sizes=SIZES,
        ),
        Identity(
            r"$\sum_j P_{ij} M_{ij} M_{ij}^\top = I + |b_i|^2 C_i$.",
            lhs=average([factor * factor.T for factor in M]),
            rhs=sp.eye(2) + b.dot(b) * C,
            sizes=SIZES,
        ),
        Fact(
            r"So $|\sum_j P_{ij} V M_{ij} e_j|^2 \le \lambda \sum_j P_{ij} |e_j|^2$.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}}\, V M_{ij}$", "e_j": r"$\sqrt{P_{ij}}\, e_j$"},
        ),
        Fact(
            r"This is at most $\lambda$, since the weights of a row sum to one (or to zero, where it sees nothing).",
            AVERAGE,
            letters={"q": "$P_{ij}$", "t": "$|e_j|^2$, at most one"},
            because={"nonnegative": "weights are not negative"},
        ),
        Fact(
            r"With $|V C_i A e_i| \le \kappa$, no token of the output moves by more than $\kappa + \sqrt\lambda$.",
            TRIANGLE,
            letters={"S": r"$V C_i A$", "T": r"$E \mapsto \sum_j P_{ij} V M_{ij} e_j$"},
        ),
        Concludes(r"The norm is at most $\kappa + \sqrt\lambda$.", bound=covariance_term + sp.sqrt(row_term)),
    ),
)
