"""The local bound on the whole ball: covariances are at most R^2, and no weight is much larger than 1/n."""

from bounds.notation import beta, covariance_term, n, norm_V, rho, weighted_column

from ..ball import COVARIANCES, LETTERS, ON_THE_BALL
from ..facts import CAUCHY_SCHWARZ
from ..proof import Proof
from ..steps import Cites, Concludes, Fact
from ..weight import WEIGHTS, largest_weight

_column = n * largest_weight(n, spread=2 * beta) * norm_V**2 * (1 + beta**2)
_local = Cites(
    r"So $\kappa \le \|V\| \rho$ and $\sigma_P \le n w \|V\|^2 (1 + \beta^2)$ in the local bound by covariances, at "
    r"every point of the ball.",
    "local-covariance",
    {covariance_term: norm_V * rho, weighted_column: _column},
)

PROOF = Proof(
    "compact-softmax",
    definitions=(*LETTERS, r"$w = 1 / (1 + (n - 1) e^{-2\beta})$"),
    steps=(
        *COVARIANCES,
        Fact(
            r"Without mask and constants $|s_{ij}| = |\langle b_i, x_j\rangle| \le \beta$, so two scores differ by at "
            r"most $2\beta$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$", "y": "$x_j$"},
        ),
        *WEIGHTS,
        _local,
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2} \sqrt{n w})$.",
            bound=_local.bound,
        ),
    ),
)
