"""The compact bound rises to its limit; measures by density."""

import sympy as sp

import bounds
from bounds.notation import beta, n, norm_V
from certify.inequality import Claim, HalfLine, Segment

from ..ball import LETTERS
from ..measures import TO_MEASURES
from ..proof import Proof
from ..steps import Below, Cites
from ..weight import AT_MOST_MEAN_FIELD, largest_weight

_beta, _q = sp.symbols("beta q", real=True)
_u, _E = sp.symbols("u E", real=True)

_claim = Claim(
    sp.sqrt(1 + _beta**2) * sp.exp(_beta) - sp.sqrt(1 + _beta**2) * sp.exp(_beta) * sp.sqrt(_q),
    (HalfLine(_beta, _u, _E), Segment(_q, 0, 1)),
    multiplier=sp.exp(-_beta) / (1 + _beta),
    form=sp.sqrt((1 - _u) ** 2 + _u**2) * (1 - sp.sqrt(_q)),
)

PROOF = Proof(
    "mean-field",
    definitions=(*LETTERS, r"$w = 1 / (1 + (n - 1) e^{-2\beta})$ and $q = n w e^{-2\beta}$"),
    steps=(
        Cites(
            r"For $n$ tokens the compact bound $\|V\| (\rho + \sqrt{1 + \beta^2} \sqrt{n w})$ holds.", "compact-softmax"
        ),
        AT_MOST_MEAN_FIELD,
        *TO_MEASURES,
        Below(
            r"For all $\beta \ge 0$ and $q$ in $[0, 1]$: $\sqrt{1 + \beta^2} \sqrt q e^{\beta} \le \sqrt{1 + "
            r"\beta^2} e^{\beta}$. With $q = n w e^{-2\beta}$: the compact bound lies below its limit for every real "
            r"$n \ge 1$.",
            lower=bounds.theorem("compact-softmax").expr,
            upper="mean-field",
            claim=_claim,
            put={_beta: beta, _q: n * largest_weight(n, 2 * beta) * sp.exp(-2 * beta)},
            factor=norm_V,
        ),
    ),
)
