"""The compact bound, with weights whose scores differ by the spread of the biases as well."""

from typing import Any

import sympy as sp

from bounds.notation import beta, bias_spread, covariance_term, n, norm_V, rho, weighted_column

from ..ball import COVARIANCES, LETTERS, ON_THE_BALL
from ..facts import CAUCHY_SCHWARZ
from ..proof import Proof
from ..steps import Cites, Concludes, Fact
from ..weight import WEIGHTS, largest_weight

_spread: Any = 2 * beta + bias_spread
_column: Any = n * largest_weight(n, spread=_spread) * norm_V**2 * (1 + beta**2)
_local = Cites(
    r"So $\kappa \le \|V\| \rho$ and $\sigma_P \le n w \|V\|^2 (1 + \beta^2)$ in the local bound by covariances, at "
    r"every point of the ball.",
    "local-covariance",
    {covariance_term: norm_V * rho, weighted_column: _column},
)

PROOF = Proof(
    "compact-score-bias",
    definitions=(*LETTERS, r"$w = 1 / (1 + (n - 1) e^{-2\beta - \Delta})$"),
    steps=(
        *COVARIANCES,
        Fact(
            r"$|\langle b_i, x_j\rangle| \le \beta$, and the constants of a row differ by at most $\Delta$; so two "
            r"scores of a row differ by at most $2\beta + \Delta$ (in the next step in place of $2\beta$).",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$", "y": "$x_j$"},
        ),
        *WEIGHTS,
        _local,
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2} \sqrt{n w})$.",
            bound=norm_V * (rho + sp.sqrt(1 + beta**2) * sp.sqrt(n * largest_weight(n, spread=_spread))),
        ),
    ),
)
