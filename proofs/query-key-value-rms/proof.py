"""One term for each of the three arguments, each of norm one."""

import sympy as sp

from ..facts import BLOCK_ROW, MEAN_VALUE, SUBMULTIPLICATIVE, TRIANGLE
from ..moving_row import CENTRED, WEIGHTS_MOVE
from ..proof import Proof
from ..row import SIZES, average, m, x
from ..steps import Concludes, Fact, Identity

PROOF = Proof(
    "query-key-value-rms",
    definitions=(
        r"$|q_i|, |k_j|, |v_j| \le \sqrt d$; $m_i = \sum_j P_{ij} v_j$, and the scores of row $i$ move by $t_j = "
        r"(\langle k_j, q_i'\rangle + \langle q_i, k_j'\rangle) / d$",
    ),
    steps=(
        WEIGHTS_MOVE,
        CENTRED,
        Identity(
            r"$\sum_j P_{ij} (v_j - m_i)(v_j - m_i)^\top = \sum_j P_{ij} v_j v_j^\top - m_i m_i^\top$, of trace at "
            r"most $\max_j |v_j|^2 \le d$; the same holds for keys.",
            lhs=average([(y - m) * (y - m).T for y in x]),
            rhs=average([y * y.T for y in x]) - m * m.T,
            sizes=SIZES,
        ),
        Fact(
            r"The term of the query is a covariance: $\tfrac1d |\sum_j P_{ij} (v_j - m_i)(k_j - \bar k_i)^\top q_i'| "
            r"\le \tfrac1d \sqrt d \sqrt d |q_i'|$.",
            SUBMULTIPLICATIVE,
            letters={
                "S": r"the row $[\sqrt{P_{ij}} (v_j - m_i)]_j$",
                "T": r"the column $[\sqrt{P_{ij}} (k_j - \bar k_i)^\top]_j$",
            },
        ),
        Fact(
            r"That of the keys: $\tfrac1d |\sum_j P_{ij} (v_j - m_i) \langle q_i, k_j'\rangle| \le \tfrac1d \sqrt d\, "
            r"\sqrt d \max_j |k_j'|$, for $\sum_j P_{ij} |k_j'|^2 \le \max_j |k_j'|^2$.",
            BLOCK_ROW,
            letters={
                "B_j": r"$\sqrt{P_{ij}} (v_j - m_i)$",
                "e_j": r"$\sqrt{P_{ij}} \langle q_i, k_j'\rangle$",
            },
        ),
        Fact(
            r"That of the values: $|\sum_j P_{ij} v_j'| \le \max_j |v_j'|$. Together at most $|q_i'| + \max_j |k_j'| "
            r"+ \max_j |v_j'|$; divided by $\sqrt d$ these are RMS norms. The fact is used twice.",
            TRIANGLE,
            letters={"S": "the first term, and the first two", "T": "the second, and the third"},
        ),
        Fact(
            r"The bound of the derivative is a Lipschitz constant.",
            MEAN_VALUE,
            letters={"f": "the map", "K": "the triples with RMS norms of at most one", "L": "$1$"},
            because={"convex": "a product of balls", "differentiable": "softmax is smooth, and the rest is linear"},
        ),
        Concludes(r"The constant is $1$.", bound=sp.Integer(1)),
    ),
)
