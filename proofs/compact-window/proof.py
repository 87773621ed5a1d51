"""The compact bound row by row: a weight among w tokens, summed over the u rows that see a token."""

from typing import Any

import sympy as sp

from bounds.notation import beta, covariance_term, inverse_fewest, most, norm_V, rho, weighted_column

from ..ball import COVARIANCES, LETTERS, ON_THE_BALL
from ..facts import CAUCHY_SCHWARZ
from ..proof import Proof
from ..steps import Cites, Concludes, Fact, Identity
from ..weight import WEIGHTS, largest_weight

_w = sp.Symbol("w", positive=True)
_weight: Any = inverse_fewest / (inverse_fewest + (1 - inverse_fewest) * sp.exp(-2 * beta))
_local = Cites(
    r"So $\kappa \le \|V\| \rho$ and $\sigma_P \le u q \|V\|^2 (1 + \beta^2)$ in the local bound by covariances, at "
    r"every point of the ball.",
    "local-covariance",
    {covariance_term: norm_V * rho, weighted_column: most * _weight * norm_V**2 * (1 + beta**2)},
)

PROOF = Proof(
    "compact-window",
    definitions=(
        *LETTERS,
        r"$q = 1 / (1 + (w - 1) e^{-2\beta})$, for the least number $w$ of tokens that a row sees",
    ),
    steps=(
        *COVARIANCES,
        Fact(
            r"Two scores of tokens that a row sees differ by at most $2\beta$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$", "y": "$x_j$"},
        ),
        *WEIGHTS,
        Identity(
            r"A row sees at least $w$ tokens; so with their number in place of $n$ every weight is at most $q = w^{-1} "
            r"/ (w^{-1} + (1 - w^{-1}) e^{-2\beta})$, and $u$ of them in a column at most $u q$.",
            lhs=largest_weight(_w, spread=2 * beta),
            rhs=_weight.subs(inverse_fewest, 1 / _w),
            sizes="w a symbol",
        ),
        _local,
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2} \sqrt{u q})$.",
            bound=norm_V * (rho + sp.sqrt(1 + beta**2) * sp.sqrt(most * _weight)),
        ),
    ),
)
