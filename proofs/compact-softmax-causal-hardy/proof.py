"""Weights at most exp(2 beta) / i make the rows averages up to that factor; Hardy's inequality does the rest."""

import sympy as sp

from bounds.notation import beta, norm_V, rho

from ..ball import COVARIANCES, LETTERS
from ..facts import HARDY, MEAN_VALUE, MINKOWSKI
from ..prefix import PREFIX_WEIGHTS
from ..proof import Proof
from ..steps import Concludes, Fact

PROOF = Proof(
    "compact-softmax-causal-hardy",
    definitions=(
        *LETTERS,
        r"the Jacobian takes $E$ to $V C_i A e_i + \sum_{j \le i} P_{ij} V (e_j + (x_j - m_i) \langle b_i, "
        r"e_j\rangle)$",
    ),
    steps=(
        *COVARIANCES,
        *PREFIX_WEIGHTS,
        Fact(
            r"$\sum_i |\sum_{j \le i} P_{ij} V (\dots)|^2 \le (\|V\| (1 + 2\beta) e^{2\beta})^2 \sum_i (\tfrac1i "
            r"\sum_{j \le i} |e_j|)^2 \le 4 (\|V\| (1 + 2\beta) e^{2\beta})^2 \|E\|_F^2$.",
            HARDY,
            letters={"t": "$|e_j|$"},
            because={"nonnegative": "a norm is not negative"},
        ),
        Fact(
            r"With the terms $|V C_i A e_i| \le \|V\| \rho |e_i|$, the Jacobian's norm is at most $\|V\| \rho + 2 "
            r"\|V\| (1 + 2\beta) e^{2\beta}$.",
            MINKOWSKI,
            letters={"u": r"$V C_i A e_i$", "v": "the sum over $j$"},
        ),
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant on the ball, for every number of tokens.",
            MEAN_VALUE,
            letters={
                "f": "the head",
                "K": r"$\{X : |x_i| \le R \text{ for all } i\}$",
                "L": "the bound of the step before",
            },
            because={"convex": "a product of balls", "differentiable": "softmax is smooth, and the rest is linear"},
        ),
        Concludes(
            r"The constant is $\|V\| (\rho + 2 (1 + 2\beta) e^{2\beta})$.",
            bound=norm_V * rho + 2 * norm_V * (1 + 2 * beta) * sp.exp(2 * beta),
        ),
    ),
)
