"""The local bound's argument with two sequences: what moves with the queries, and what moves with the keys."""

import sympy as sp

from bounds.notation import R, R_keys, inverse_fewest, n, norm_A, norm_a, norm_V

from ..ball import ON_THE_BALL
from ..facts import AVERAGE, BLOCK_DIAGONAL, BLOCK_ROW, CAUCHY_SCHWARZ, LOEWNER, TRACE
from ..moving_row import CENTRED, WEIGHTS_MOVE
from ..proof import Proof
from ..row import SIZES, A, C, M, average, b, e, m, tokens, x
from ..steps import Concludes, Fact, Identity
from ..weight import WEIGHTS, largest_weight

_w = sp.Symbol("w", positive=True)
_own = sp.Matrix(sp.symbols("epsilon_1:3", real=True))  # the change of the query's token
_change = [(A * _own).dot(x[j]) + b.dot(e[j]) for j in tokens]
_beta = R_keys * (R * norm_A + norm_a)
_weight = inverse_fewest / (inverse_fewest + (1 - inverse_fewest) * sp.exp(-2 * _beta))
_queries = norm_V * R_keys**2 * norm_A
_keys = norm_V * sp.sqrt(1 + _beta**2) * sp.sqrt(n * _weight)

PROOF = Proof(
    "cross-attention",
    definitions=(
        r"$b_i = A x_i + a$, and $P_i$ is the softmax of $\langle b_i, y_j\rangle$ over the keys $j$",
        r"$m_i = \sum_j P_{ij} y_j$, $C_i = \sum_j P_{ij} (y_j - m_i)(y_j - m_i)^\top$ and $M_{ij} = I + (y_j - m_i) "
        r"b_i^\top$",
        r"$|x_i| \le R$, $|y_j| \le S$ and $\beta = S (R \|A\| + \|a\|)$; $\epsilon_i$ and $e_j$ are the changes of "
        r"$x_i$ and $y_j$",
        r"$q = 1 / (1 + (w - 1) e^{-2\beta})$ for the least number $w$ of keys",
    ),
    steps=(
        WEIGHTS_MOVE,
        CENTRED,
        Identity(
            r"With $t_j = \langle A \epsilon_i, y_j\rangle + \langle b_i, e_j\rangle$ the row's output moves by $V "
            r"(C_i A \epsilon_i + \sum_j P_{ij} M_{ij} e_j)$.",
            lhs=average([_change[j] * (x[j] - m) + e[j] for j in tokens]),
            rhs=C * A * _own + average([M[j] * e[j] for j in tokens]),
            sizes=SIZES,
        ),
        Fact(
            r"$C_i \preceq \sum_j P_{ij} y_j y_j^\top$, whose trace is at most $S^2$.",
            TRACE,
            letters={"S": r"$\sum_j P_{ij} y_j y_j^\top$"},
            because={"positive semidefinite": "weights are not negative"},
        ),
        Fact(
            r"Therefore $|C_i| \le S^2$.",
            LOEWNER,
            letters={"S": "$C_i$", "T": r"$\sum_j P_{ij} y_j y_j^\top$"},
            because={"ordered": r"they differ by $m_i m_i^\top$, and $C_i$ is an average of squares"},
        ),
        Fact(
            r"The queries alone give a map of norm at most $\|V\| S^2 \|A\|$.",
            BLOCK_DIAGONAL,
            letters={"D_i": "$V C_i A$"},
        ),
        Identity(
            r"Since $\sum_j P_{ij} (y_j - m_i) = 0$: $\sum_j P_{ij} M_{ij} M_{ij}^\top = I + |b_i|^2 C_i$, of norm at "
            r"most $1 + \beta^2$, for $|b_i| S \le \beta$.",
            lhs=average([factor * factor.T for factor in M]),
            rhs=sp.eye(2) + b.dot(b) * C,
            sizes=SIZES,
        ),
        Fact(
            r"So $|\sum_j P_{ij} V M_{ij} e_j|^2 \le \|V\|^2 (1 + \beta^2) \sum_j P_{ij} |e_j|^2$.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}}\, V M_{ij}$", "e_j": r"$\sqrt{P_{ij}}\, e_j$"},
        ),
        Fact(
            r"Scores of a row differ by at most $2\beta$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$", "y": "$y_j$"},
        ),
        *WEIGHTS,
        Identity(
            r"A row has at least $w$ keys; so with their number in place of $n$ every weight is at most $q = w^{-1} / "
            r"(w^{-1} + (1 - w^{-1}) e^{-2\beta})$.",
            lhs=largest_weight(_w, spread=2 * _beta),
            rhs=_weight.subs(inverse_fewest, 1 / _w),
            sizes="w a symbol",
        ),
        Fact(
            r"Summed over the $n$ queries: $\sum_j |e_j|^2 \sum_i P_{ij} \le n q \sum_j |e_j|^2$. The keys alone give "
            r"a map of norm at most $\|V\| \sqrt{1 + \beta^2} \sqrt{n q}$.",
            AVERAGE,
            letters={"q": r"$|e_j|^2$", "t": r"$\sum_i P_{ij}$"},
            because={"nonnegative": "a squared norm is not negative"},
        ),
        Fact(
            r"Side by side the two maps, of norms $s$ and $t$, have at most the norm $\sqrt{s^2 + t^2}$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$(s, t)$", "y": r"$(|\epsilon|, |e|)$"},
        ),
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| \sqrt{(S^2 \|A\|)^2 + (1 + \beta^2) n q}$.",
            bound=sp.sqrt(_queries**2 + _keys**2),
        ),
    ),
)
