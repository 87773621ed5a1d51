"""From the compact bound, whose limit for many tokens lies below; measures by density."""

import sympy as sp

import bounds
from bounds.notation import beta, n, norm_V, rho
from certify.inequality import Claim, HalfLine, Segment

from ..ball import LETTERS
from ..measures import TO_MEASURES
from ..proof import Proof
from ..steps import Below, Cites
from ..weight import AT_MOST_MEAN_FIELD, largest_weight

_beta, _share, _q = sp.symbols("beta s q", real=True)
_u, _E = sp.symbols("u E", real=True)

_claim = Claim(
    (1 + _share * _beta + 2 * _beta) * sp.exp(2 * _beta)
    - (_share * _beta + sp.sqrt(1 + _beta**2) * sp.sqrt(_q) * sp.exp(_beta)),
    (HalfLine(_beta, _u, _E), Segment(_share, 0, 1), Segment(_q, 0, 1)),
    multiplier=sp.exp(-2 * _beta) / (1 + _beta),
    form=(1 - _u) + _share * _u + 2 * _u - (_share * _u * _E**2 + sp.sqrt((1 - _u) ** 2 + _u**2) * sp.sqrt(_q) * _E),
)

PROOF = Proof(
    "mean-field-published",
    definitions=(
        *LETTERS,
        r"$\rho = s \beta$, where $0 \le s \le 1$ ($s$ is $1$ without query bias, and any such number where $\beta = "
        r"0$)",
        r"$w = 1 / (1 + (n - 1) e^{-2\beta})$ and $q = n w e^{-2\beta}$",
    ),
    steps=(
        Cites(
            r"For $n$ tokens the compact bound $\|V\| (\rho + \sqrt{1 + \beta^2} \sqrt{n w})$ holds.", "compact-softmax"
        ),
        AT_MOST_MEAN_FIELD,
        *TO_MEASURES,
        Below(
            r"For all $\beta \ge 0$, $s$ and $q$ in $[0, 1]$: $s\beta + \sqrt{1 + \beta^2} \sqrt{q} e^{\beta} \le (1 "
            r"+ s\beta + 2\beta) e^{2\beta}$, with equality at $\beta = 0$, $q = 1$. With $q = n w e^{-2\beta}$: the "
            r"compact bound lies below $\|V\| (1 + \rho + 2\beta) e^{2\beta}$ for every real $n \ge 1$.",
            lower=bounds.theorem("compact-softmax").expr,
            upper="mean-field-published",
            claim=_claim,
            put={_beta: beta, _share: rho / beta, _q: n * largest_weight(n, 2 * beta) * sp.exp(-2 * beta)},
            factor=norm_V,
        ),
    ),
)
