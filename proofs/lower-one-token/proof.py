"""The cluster is one token, and what its weight gains by moving is left out."""

import sympy as sp

from bounds.notation import R, cluster, gamma_real, n, norm_Vu
from certify.inequality import Claim, HalfLine, Segment

from ..proof import Proof
from ..steps import Cites, Concludes, Inequality

_p, _t, _u, _E = sp.symbols("p t u E", real=True)

PROOF = Proof(
    "lower-one-token",
    definitions=(r"the letters are those of the lower bound by a cluster",),
    steps=(
        Cites(r"With $k = 1$ the lower bound by a cluster holds.", "lower-cluster", {cluster: sp.Integer(1)}),
        Inequality(
            r"Its last factor is at least one, for $(1 - p) t \ge 0$ with $0 \le p \le 1$ and $t \ge 0$.",
            Claim(
                (1 - _p) * _t,
                (Segment(_p, 0, 1), HalfLine(_t, _u, _E)),
                multiplier=1 / (1 + _t),
                form=(1 - _p) * _u,
            ),
        ),
        Concludes(
            r"The constant is at least $|V u| \sqrt{n - 1}\, p$, which is $|V u| \sqrt{n - 1} / (1 + (n - 1) e^{-2 R^2 "
            r"\gamma})$.",
            bound=norm_Vu * sp.sqrt(n - 1) / (1 + (n - 1) * sp.exp(-2 * R**2 * gamma_real)),
        ),
    ),
)
