"""The score term by the triangle inequality, the rest by Cauchy-Schwarz with the attention weights themselves."""

import sympy as sp

from bounds.notation import covariance_term, weighted_column

from ..facts import AVERAGE, BLOCK_DIAGONAL, BLOCK_ROW, TRIANGLE
from ..moving_row import WEIGHTS_MOVE
from ..proof import Proof
from ..row import SIZES, A, C, M, average, b, e, p, tokens, x
from ..steps import Concludes, Fact, Identity

_w = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"P_{i + 1}{j + 1}", positive=True))
_lam = sp.symbols("lambda_1:4", positive=True)
_q = sp.symbols("q_1:4", positive=True)

_change = [(A * e[0]).dot(x[j]) + b.dot(e[j]) for j in tokens]
_mean_change = sum(weight * change for weight, change in zip(p, _change, strict=True))

PROOF = Proof(
    "local-covariance",
    definitions=(
        r"$s_{ij} = \langle b_i, x_j\rangle + c_{ij}$ with $b_i = A x_i + a$, and $P_i$ is the softmax of row $i$; a "
        r"masked pair has weight $0$ and is left out of every sum, so that any mask and any constants $c_{ij}$ are "
        r"allowed",
        r"$m_i = \sum_j P_{ij} x_j$, $C_i = \sum_j P_{ij} (x_j - m_i)(x_j - m_i)^\top$ and $f(X)_i = V m_i$",
        r"$M_{ij} = I + (x_j - m_i) b_i^\top$ and $\lambda_i = \lambda_{\max}(V (I + |b_i|^2 C_i) V^\top)$",
        r"$E = (e_1, \dots, e_n)$ is the change of the input",
    ),
    steps=(
        WEIGHTS_MOVE,
        Identity(
            r"The scores of row $i$ move by $t_j = \langle A e_i, x_j\rangle + \langle b_i, e_j\rangle$. Put into the "
            r"derivative of $m_i$, $\sum_j P_{ij} (t_j - \sum_l P_{il} t_l) x_j + \sum_j P_{ij} e_j = C_i A e_i + "
            r"\sum_j P_{ij} M_{ij} e_j$. So $(Df(X)[E])_i = V (C_i A e_i + \sum_j P_{ij} M_{ij} e_j)$.",
            lhs=average([(_change[j] - _mean_change) * x[j] + e[j] for j in tokens]),
            rhs=C * A * e[0] + average([M[j] * e[j] for j in tokens]),
            sizes=SIZES,
        ),
        Identity(
            r"Since $\sum_j P_{ij} (x_j - m_i) = 0$ the cross terms vanish: $\sum_j P_{ij} M_{ij} M_{ij}^\top = I + "
            r"|b_i|^2 C_i$.",
            lhs=average([factor * factor.T for factor in M]),
            rhs=sp.eye(2) + b.dot(b) * C,
            sizes=SIZES,
        ),
        Fact(
            r"So $|\sum_j P_{ij} V M_{ij} e_j|^2 \le \lambda_i \sum_j P_{ij} |e_j|^2$.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}}\, V M_{ij}$", "e_j": r"$\sqrt{P_{ij}}\, e_j$"},
        ),
        Identity(
            r"Summed over the rows, with the sums exchanged: $\sum_i \lambda_i \sum_j P_{ij} |e_j|^2 = \sum_j |e_j|^2 "
            r"\sum_i P_{ij} \lambda_i$.",
            lhs=sum((_lam[i] * _w[i, j] * _q[j] for i in tokens for j in tokens), sp.S.Zero),
            rhs=sum((_q[j] * sum(_w[i, j] * _lam[i] for i in tokens) for j in tokens), sp.S.Zero),
            sizes="n = 3, every entry a symbol",
        ),
        Fact(
            r"This is at most $\sigma_P \|E\|_F^2$, and so is what a larger number in place of $\sigma_P$ gives.",
            AVERAGE,
            letters={"q": r"$|e_j|^2$", "t": r"$\sum_i P_{ij} \lambda_i$"},
            because={"nonnegative": "a squared norm is not negative"},
        ),
        Fact(
            r"The term $V C_i A e_i$ reads $e_i$ only; its map has the norm $\kappa = \max_i \|V C_i A\|$.",
            BLOCK_DIAGONAL,
            letters={"D_i": "$V C_i A$"},
        ),
        Fact(
            r"The two maps together have at most the sum of their norms.",
            TRIANGLE,
            letters={"S": "the block-diagonal map", "T": r"the map $E \mapsto (\sum_j P_{ij} V M_{ij} e_j)_i$"},
        ),
        Concludes(r"$\|Df(X)\| \le \kappa + \sqrt{\sigma_P}$.", bound=covariance_term + sp.sqrt(weighted_column)),
    ),
)
