"""The local bound with column sums of at most exp(chi)."""

import sympy as sp

from bounds.notation import beta, contrast, covariance_term, norm_V, rho, weighted_column

from ..ball import COVARIANCES, LETTERS, ON_THE_BALL
from ..crowd import COLUMN_SUMS, CROWD_LETTERS
from ..measures import TO_MEASURES
from ..proof import Proof
from ..steps import Cites, Concludes

_local = Cites(
    r"So $\kappa \le \|V\| \rho$ and $\sigma_P \le \|V\|^2 (1 + \beta^2) e^\chi$ in the local bound by covariances, at "
    r"every point of the ball.",
    "local-covariance",
    {covariance_term: norm_V * rho, weighted_column: sp.exp(contrast) * norm_V**2 * (1 + beta**2)},
)

PROOF = Proof(
    "compact-contrast",
    definitions=(*LETTERS, *CROWD_LETTERS),
    steps=(
        *COVARIANCES,
        *COLUMN_SUMS,
        _local,
        ON_THE_BALL,
        *TO_MEASURES,
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2} e^{\chi / 2})$.",
            bound=norm_V * (rho + sp.sqrt(1 + beta**2) * sp.exp(contrast / 2)),
        ),
    ),
)
