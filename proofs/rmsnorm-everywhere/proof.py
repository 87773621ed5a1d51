"""No token is divided by less than the root of epsilon."""

from bounds.notation import gamma_max, inverse_deviation, inverse_root_eps

from ..facts import MEAN_VALUE
from ..proof import Proof
from ..steps import Cites, Concludes, Fact

_local = Cites(
    r"$\sigma^2 \ge \varepsilon$ at every token, so the Jacobian has at most the norm $\|\gamma\|_\infty "
    r"\varepsilon^{-1/2}$ everywhere.",
    "rmsnorm-at-tokens",
    {inverse_deviation: inverse_root_eps},
)

PROOF = Proof(
    "rmsnorm-everywhere",
    definitions=(r"$\sigma$ is what a token is divided by, and $\varepsilon > 0$",),
    steps=(
        _local,
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant.",
            MEAN_VALUE,
            letters={"f": "the normalization", "K": "all inputs", "L": "the bound of the step before"},
            because={"convex": "the whole space", "differentiable": r"$\sigma^2 \ge \varepsilon > 0$"},
        ),
        Concludes(
            r"The constant is $\|\gamma\|_\infty \varepsilon^{-1/2}$.",
            bound=gamma_max * inverse_root_eps,
        ),
    ),
)
