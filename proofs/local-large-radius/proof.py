"""The local bound with weights split into the row's choice and the rest."""

import sympy as sp

from bounds.notation import covariance_term, diameter, followers, largest_b, leak, n, norm_A, norm_V, weighted_column

from ..facts import AVERAGE, SUBMULTIPLICATIVE, TRACE
from ..proof import Proof
from ..row import SIZES, C, average, m, x
from ..steps import Cites, Concludes, Fact, Identity

_spread = 1 + (largest_b * diameter) ** 2 * leak
_local = Cites(
    r"Both put into the local bound by covariances.",
    "local-covariance",
    {
        covariance_term: norm_V * norm_A * diameter**2 * leak,
        weighted_column: norm_V**2 * _spread * (followers + n * leak),
    },
)

PROOF = Proof(
    "local-large-radius",
    definitions=(
        r"row $i$ has chosen the token $x_{c(i)}$: all others have at most the weight $\varepsilon$ together",
        r"$D = \max_{jl} |x_j - x_l|$, $B = \max_i |b_i|$; the other letters are those of the local bound by "
        r"covariances",
    ),
    steps=(
        Identity(
            r"$C_i$ is the second moment around the choice less a square: $C_i = \sum_j P_{ij} (x_j - x_{c(i)})(x_j - "
            r"x_{c(i)})^\top - (m_i - x_{c(i)})(m_i - x_{c(i)})^\top$.",
            lhs=C,
            rhs=average([(y - x[0]) * (y - x[0]).T for y in x]) - (m - x[0]) * (m - x[0]).T,
            sizes=SIZES,
        ),
        Fact(
            r"So $|C_i| \le \sum_j P_{ij} |x_j - x_{c(i)}|^2 \le D^2 \varepsilon$, for the term of the choice is zero.",
            TRACE,
            letters={"S": r"that second moment"},
            because={"positive semidefinite": "weights are not negative"},
        ),
        Fact(
            r"$|V C_i A| \le \|V\| \|A\| D^2 \varepsilon$, and $\lambda_i \le \|V\|^2 (1 + B^2 D^2 \varepsilon)$.",
            SUBMULTIPLICATIVE,
            letters={"S": "$V$, $C_i$", "T": "what stands to its right"},
        ),
        Fact(
            r"In a column at most $f$ weights belong to a choice, each at most one, and each of the others is at most "
            r"$\varepsilon$: $\sum_i P_{ij} \lambda_i \le \|V\|^2 (1 + B^2 D^2 \varepsilon) (f + n \varepsilon)$.",
            AVERAGE,
            letters={"q": "$P_{ij}$", "t": r"$\lambda_i$"},
            because={"nonnegative": "weights are not negative"},
        ),
        _local,
        Concludes(
            r"The norm is at most $\|V\| (\|A\| D^2 \varepsilon + \sqrt{(1 + B^2 D^2 \varepsilon) (f + n "
            r"\varepsilon)})$.",
            bound=norm_V * (norm_A * diameter**2 * leak + sp.sqrt(_spread * (followers + n * leak))),
        ),
    ),
)
