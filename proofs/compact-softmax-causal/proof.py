"""The unmasked proof row by row: row i has i tokens, and the first column collects the most."""

import sympy as sp

from bounds.notation import beta, covariance_term, i, n, norm_V, rho, weighted_column

from ..ball import COVARIANCES, LETTERS, ON_THE_BALL
from ..facts import CAUCHY_SCHWARZ
from ..proof import Proof
from ..steps import Cites, Concludes, Fact, Identity
from ..weight import WEIGHTS, largest_weight

_weights = sp.Sum(largest_weight(i + 1, spread=2 * beta), (i, 0, n - 1))
_local = Cites(
    r"So $\kappa \le \|V\| \rho$ and $\sigma_P \le \|V\|^2 (1 + \beta^2) \sum_{i=0}^{n-1} 1 / (1 + i e^{-2\beta})$ in "
    r"the local bound by covariances, at every point of the ball.",
    "local-covariance",
    {covariance_term: norm_V * rho, weighted_column: norm_V**2 * (1 + beta**2) * _weights},
)
_w = sp.symbols("w_1:4", nonnegative=True)

PROOF = Proof(
    "compact-softmax-causal",
    definitions=(*LETTERS, r"row $i$ has the $i$ weights $P_{i1}, \dots, P_{ii}$"),
    steps=(
        *COVARIANCES,
        Fact(
            r"Where a token is seen $|s_{ij}| = |\langle b_i, x_j\rangle| \le \beta$, so two scores differ by at most "
            r"$2\beta$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$", "y": "$x_j$"},
        ),
        *WEIGHTS,
        Identity(
            r"In row $i$ there are $i$ tokens in place of $n$: $P_{ij} \le w_i = 1 / (1 + (i - 1) e^{-2\beta})$. Token "
            r"$j$ is seen by the rows from $j$ on, and what column $1$ has more than column $j$ is not negative: "
            r"$\sum_{i \ge j} w_i = \sum_{i \ge 1} w_i - \sum_{i < j} w_i$.",
            lhs=_w[1] + _w[2],
            rhs=sum(_w, sp.S.Zero) - _w[0],
            sizes="n = 3, j = 2, every weight a symbol",
        ),
        _local,
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2} (\sum_{i=0}^{n-1} 1 / (1 + i e^{-2\beta}))^{1/2})$.",
            bound=_local.bound,
        ),
    ),
)
