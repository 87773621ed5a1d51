"""From the local bound with weights of at most one, which any mask allows; the compact bound lies below it too."""

import sympy as sp

import bounds
from bounds.notation import beta, covariance_term, i, n, norm_V, rho, weighted_column
from certify.inequality import Claim, HalfLine, Inverse, Segment

from ..ball import COVARIANCES, LETTERS, ON_THE_BALL
from ..proof import Proof
from ..steps import Below, Cites
from ..weight import AT_MOST_ONE, largest_weight

_n, _beta, _share, _w = sp.symbols("n beta s w", real=True)
_u, _E, _v = sp.symbols("u E v", real=True)


def difference(factor: sp.Expr = sp.S.One) -> Claim:
    """The published bound less `factor` times the one with the weight w, both over |V|."""
    published = sp.sqrt(3) * sp.sqrt((_share * _beta) ** 2 + 4 * _n * _beta**2 + _n)
    published_form = sp.sqrt(3) * sp.sqrt((_share * _u) ** 2 * _v + 4 * _u**2 + (1 - _u) ** 2)
    reached = _share * _beta + sp.sqrt(1 + _beta**2) * sp.sqrt(_n * _w)
    reached_form = _share * _u * sp.sqrt(_v) + sp.sqrt((1 - _u) ** 2 + _u**2) * sp.sqrt(_w)
    return Claim(
        published - factor * reached,
        (HalfLine(_beta, _u, _E), Inverse(_n, _v), Segment(_share, 0, 1), Segment(_w, 0, 1)),
        strict=True,
        multiplier=1 / (sp.sqrt(_n) * (1 + _beta)),
        form=published_form - factor * reached_form,
    )


_claim = difference()
_letters = {_n: n, _beta: beta, _share: rho / beta}

_local = Cites(
    r"No weight exceeds one, so $\kappa \le \|V\| \rho$ and $\sigma_P \le n \|V\|^2 (1 + \beta^2)$ in the local bound "
    r"by covariances, at every point of the ball and under any mask.",
    "local-covariance",
    {covariance_term: norm_V * rho, weighted_column: n * norm_V**2 * (1 + beta**2)},
)

PROOF = Proof(
    "compact-softmax-published",
    definitions=(
        *LETTERS,
        r"$\rho = s \beta$, where $0 \le s \le 1$ ($s$ is $1$ without query bias, and any such number where $\beta = "
        r"0$)",
        r"$w = 1 / (1 + (n - 1) e^{-2\beta})$",
    ),
    steps=(
        *COVARIANCES,
        _local,
        ON_THE_BALL,
        AT_MOST_ONE,
        Below(
            r"For all $\beta \ge 0$, real $n \ge 1$, $s$ and $w$ in $[0, 1]$: $s\beta + \sqrt{1 + \beta^2} \sqrt{n w} "
            r"< \sqrt3 (s^2 \beta^2 + 4 n \beta^2 + n)^{1/2}$. With the $w$ of the compact bound: wherever that bound "
            r"holds, it lies below.",
            lower=bounds.theorem("compact-softmax").expr,
            upper="compact-softmax-published",
            claim=_claim,
            put={**_letters, _w: largest_weight(n, spread=2 * beta)},
            factor=norm_V,
        ),
        Below(
            r"With the mean $w = \frac1n \sum_{i=1}^n w_i$ of the largest weights $w_i = 1 / (1 + (i - 1) e^{-2\beta})$"
            r" of the causal rows, which lies in $[0, 1]$ since each $w_i$ does: the causal bound lies below too.",
            lower=bounds.theorem("compact-softmax-causal").expr,
            upper="compact-softmax-published",
            claim=_claim,
            put={**_letters, _w: sp.Sum(largest_weight(i + 1, spread=2 * beta), (i, 0, n - 1)) / n},
            factor=norm_V,
        ),
        Below(
            r"With $w = 1$: the bound reached under any mask lies below $\sqrt3\, \|V\| (\rho^2 + 4 n \beta^2 + "
            r"n)^{1/2}$.",
            lower=_local.bound,
            upper="compact-softmax-published",
            claim=_claim,
            put={**_letters, _w: sp.S.One},
            factor=norm_V,
        ),
    ),
)
