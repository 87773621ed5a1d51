"""What several proofs need about tokens in a ball: covariances and score gradients there, under any mask."""

from .facts import LOEWNER, MEAN_VALUE, SUBMULTIPLICATIVE, TRACE
from .row import SIZES, C, average, m, x
from .steps import Fact, Identity, Step

LETTERS = (
    r"every token has $|x_i| \le R$; $\rho = R^2 \|A\|$ and $\beta = R (R \|A\| + \|a\|)$",
    r"the other letters are those of the local bound by covariances",
)

COVARIANCES: tuple[Step, ...] = (
    Identity(
        r"$C_i + m_i m_i^\top = \sum_j P_{ij} x_j x_j^\top$.",
        lhs=C + m * m.T,
        rhs=average([y * y.T for y in x]),
        sizes=SIZES,
    ),
    Fact(
        r"$|\sum_j P_{ij} x_j x_j^\top| \le \sum_j P_{ij} |x_j|^2 \le R^2$.",
        TRACE,
        letters={"S": r"$\sum_j P_{ij} x_j x_j^\top$, of trace $\sum_j P_{ij} |x_j|^2$"},
        because={"positive semidefinite": "weights are not negative"},
    ),
    Fact(
        r"Therefore $|C_i| \le R^2$.",
        LOEWNER,
        letters={"S": "$C_i$", "T": r"$\sum_j P_{ij} x_j x_j^\top$"},
        because={"ordered": r"they differ by $m_i m_i^\top$, and $C_i$ is an average of squares"},
    ),
    Fact(
        r"$\|V C_i A\| \le \|V\| R^2 \|A\|$; and $R |b_i| \le R (\|A\| R + \|a\|) = \beta$, so that $\lambda_i \le "
        r"\|V\|^2 (1 + |b_i|^2 R^2) \le \|V\|^2 (1 + \beta^2)$.",
        SUBMULTIPLICATIVE,
        letters={"S": "$V$, $C_i$ or $A$", "T": "what stands to its right"},
    ),
)

ON_THE_BALL = Fact(
    r"The bound of the Jacobian is a Lipschitz constant on the ball.",
    MEAN_VALUE,
    letters={
        "f": "the head",
        "K": r"$\{X : |x_i| \le R \text{ for all } i\}$",
        "L": "the bound of the step before",
    },
    because={"convex": "a product of balls", "differentiable": "softmax is smooth, and the rest is linear"},
)
