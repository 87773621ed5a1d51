"""The local bound for the longest token on the whole ball."""

import sympy as sp

from bounds.notation import beta, covariance_term, norm_V, rho, row_term

from ..ball import COVARIANCES, LETTERS
from ..facts import MEAN_VALUE
from ..proof import Proof
from ..steps import Cites, Concludes, Fact

_local = Cites(
    r"So $\kappa \le \|V\| \rho$ and $\lambda \le \|V\|^2 (1 + \beta^2)$ in the local bound for the longest token.",
    "local-max-token",
    {covariance_term: norm_V * rho, row_term: norm_V**2 * (1 + beta**2)},
)

PROOF = Proof(
    "compact-max-token",
    definitions=LETTERS,
    steps=(
        *COVARIANCES,
        _local,
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant on the ball, in the same norm.",
            MEAN_VALUE,
            letters={
                "f": "the head",
                "K": r"$\{X : |x_i| \le R \text{ for all } i\}$",
                "L": "the bound of the step before",
            },
            because={"convex": "a product of balls", "differentiable": "softmax is smooth, and the rest is linear"},
        ),
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2})$.",
            bound=norm_V * (rho + sp.sqrt(1 + beta**2)),
        ),
    ),
)
