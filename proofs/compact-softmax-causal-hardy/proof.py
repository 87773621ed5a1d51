"""Weights at most exp(2 beta) / i make the rows averages up to that factor; Hardy's inequality does the rest."""

import sympy as sp

from bounds.notation import beta, norm_V, rho

from ..ball import COVARIANCES, LETTERS
from ..facts import CAUCHY_SCHWARZ, HARDY, MEAN_VALUE, MINKOWSKI, SUBMULTIPLICATIVE, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact
from ..weight import AT_MOST_MEAN_FIELD, WEIGHTS

PROOF = Proof(
    "compact-softmax-causal-hardy",
    definitions=(
        *LETTERS,
        r"the Jacobian takes $E$ to $V C_i A e_i + \sum_{j \le i} P_{ij} V (e_j + (x_j - m_i) \langle b_i, "
        r"e_j\rangle)$",
    ),
    steps=(
        *COVARIANCES,
        Fact(
            r"Where a token is seen $|s_{ij}| = |\langle b_i, x_j\rangle| \le \beta$, so two scores differ by at most "
            r"$2\beta$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$", "y": "$x_j$"},
        ),
        *WEIGHTS,
        AT_MOST_MEAN_FIELD,
        Fact(
            r"With the $i$ tokens of row $i$ in place of $n$: $P_{ij} \le e^{2\beta} / i$. And $|x_j - m_i| \le |x_j| "
            r"+ |m_i| \le 2R$, for $m_i$ is an average of tokens.",
            TRIANGLE,
            letters={"S": "$x_j$", "T": "$-m_i$"},
        ),
        Fact(
            r"So $|V (e_j + (x_j - m_i) \langle b_i, e_j\rangle)| \le \|V\| (1 + 2 R |b_i|) |e_j| \le \|V\| (1 + 2 "
            r"\beta) |e_j|$.",
            SUBMULTIPLICATIVE,
            letters={"S": "$V$", "T": r"$I + (x_j - m_i) b_i^\top$"},
        ),
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
