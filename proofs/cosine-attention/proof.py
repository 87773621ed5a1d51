"""Behind the normalisation every vector is shorter than one, and moves at most eps^(-1/2) as far."""

import sympy as sp

from bounds.notation import inverse_root_eps, n, norm_WK, norm_WQ, norm_WV, nu, tau

from ..facts import BLOCK_DIAGONAL, CAUCHY_SCHWARZ, CHAIN_RULE, LOEWNER, MEAN_VALUE
from ..gradients import LETTERS, moving_scores
from ..proof import Proof
from ..steps import Concludes, Fact, Identity
from ..weight import WEIGHTS, largest_weight

_z: sp.Matrix = sp.Matrix(sp.symbols("z_1:4", real=True))
_eps = sp.Symbol("epsilon", positive=True)
_length = sp.sqrt(_z.dot(_z) + _eps)
_columns = sp.sqrt(n * largest_weight(n, spread=2 * tau))
_per_part = (tau * norm_WQ, tau * norm_WK * _columns, norm_WV * _columns)

PROOF = Proof(
    "cosine-attention",
    definitions=(
        *LETTERS,
        r"$q_i$, $k_j$ and $v_j$ are the normalised queries, keys and values; here $\epsilon_i$ is the change of "
        r"$q_i$, $e_j$ that of $k_j$, and $y_j = v_j$",
        r"$w = 1 / (1 + (n - 1) e^{-2\tau})$",
    ),
    steps=(
        Identity(
            r"The derivative of $z / (|z|^2 + \varepsilon)^{1/2}$ is $(I - z z^\top / (|z|^2 + \varepsilon)) (|z|^2 + "
            r"\varepsilon)^{-1/2}$.",
            lhs=(_z / _length).jacobian(_z),
            rhs=(sp.eye(3) - _z * _z.T / _length**2) / _length,
            sizes="size 3, every entry a symbol",
            least={_eps: 0},
        ),
        Fact(
            r"It lies between $0$ and $\varepsilon^{-1/2} I$.",
            LOEWNER,
            letters={"S": "that derivative", "T": r"$\varepsilon^{-1/2} I$"},
            because={
                "ordered": r"the factor in front is between $0$ and $I$, and the other at most $\varepsilon^{-1/2}$"
            },
        ),
        Fact(
            r"So queries, keys and values have the Lipschitz constants $\varepsilon^{-1/2}$ times $\|W_Q\|$, $\|W_K\|$ "
            r"and $\|W_V\|$, and are not longer than one.",
            CHAIN_RULE,
            letters={"f": "the normalisation", "g": "$W_Q$, $W_K$ or $W_V$"},
        ),
        Fact(
            r"The same holds for all tokens together.",
            BLOCK_DIAGONAL,
            letters={"D_i": "the derivative at one token"},
        ),
        *moving_scores(
            values="1",
            own=r"$\tau$, for $g_{ij} = \tau k_j$",
            keys=r"$\tau$, for $h_{ij} = \tau q_i$",
        ),
        Fact(
            r"A score is at most $\tau$ in absolute value, so two of them differ by at most $2\tau$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$q_i$", "y": r"$\tau k_j$"},
        ),
        *WEIGHTS,
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant.",
            MEAN_VALUE,
            letters={"f": "the map", "K": "all inputs", "L": "the bound of the steps before"},
            because={"convex": "the whole space", "differentiable": r"$|z|^2 + \varepsilon > 0$"},
        ),
        Concludes(
            r"With $\sum_i P_{ij} \le n w$ the constant is $\nu \varepsilon^{-1/2} (\tau \|W_Q\| + (\tau \|W_K\| + "
            r"\|W_V\|) \sqrt{n w})$.",
            bound=nu * inverse_root_eps * sum(_per_part, sp.S.Zero),
        ),
    ),
)
