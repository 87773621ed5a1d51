"""For two tokens and more the published constant lies above the sharper one, term by term; one token has no weights."""

import sympy as sp

from bounds.notation import inverse_root_eps, n, norm_WK, norm_WQ, norm_WV, nu, tau
from certify.inequality import Claim, Inverse

from ..facts import CHAIN_RULE
from ..proof import Proof
from ..steps import Cites, Concludes, Fact, Inequality
from ..weight import AT_MOST_ONE

_m, _n, _v = sp.symbols("m n v", real=True)
_others = Inverse(_m, _v)

PROOF = Proof(
    "cosine-attention-published",
    definitions=(r"the letters are those of the sharper bound", "$m = n - 1$ is the number of other tokens"),
    steps=(
        Fact(
            r"A single token attends to itself, whatever the scores are: the map is $\nu$ times the normalised value, "
            r"of constant $\nu \varepsilon^{-1/2} \|W_V\|$, and the claim for $n = 1$ is twice that.",
            CHAIN_RULE,
            letters={"f": r"$\nu$ times the normalisation", "g": "$W_V$"},
        ),
        Cites(r"For $n \ge 2$ the sharper bound holds.", "cosine-attention"),
        AT_MOST_ONE,
        Inequality(
            r"So its root $\sqrt{n w}$ is at most $\sqrt n$; and for the factors of $\|W_K\|$, $2 n (n - 1) \ge \sqrt "
            r"n$, where $m \ge 1$.",
            Claim(
                2 * _m * (_m + 1) - sp.sqrt(_m + 1),
                (_others,),
                multiplier=_m**-2,
                form=2 * (1 + _v) - _v * sp.sqrt(_v) * sp.sqrt(1 + _v),
                strict=True,
            ),
        ),
        Inequality(
            r"Of $\|W_V\|$, $2 n \ge \sqrt n$.",
            Claim(2 * _n - sp.sqrt(_n), (Inverse(_n, _v),), multiplier=1 / _n, form=2 - sp.sqrt(_v), strict=True),
        ),
        Inequality(
            r"Of $\|W_Q\|$, $2 (n - 1) \ge 1$.",
            Claim(2 * _m - 1, (_others,), multiplier=1 / _m, form=2 - _v, strict=True),
        ),
        Concludes(
            r"The constant is $\nu \varepsilon^{-1/2} (2 n (n - 1) \tau \|W_K\| + 2 (n - 1) \tau \|W_Q\| + 2 n "
            r"\|W_V\|)$.",
            bound=nu
            * inverse_root_eps
            * (2 * n * (n - 1) * tau * norm_WK + 2 * (n - 1) * tau * norm_WQ + 2 * n * norm_WV),
        ),
    ),
)
