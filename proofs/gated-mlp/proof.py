"""The product rule for differences, with both factors bounded on the ball."""

from typing import Any

import sympy as sp

from bounds.notation import R, norm_Wd, norm_Wg, norm_Wu, slope

from ..facts import BLOCK_DIAGONAL, LIPSCHITZ_TERMS, SUBMULTIPLICATIVE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_g, _G, _u, _U = sp.symbols("g G u U", real=True)
_branch: Any = slope * norm_Wg * R * norm_Wu

PROOF = Proof(
    "gated-mlp",
    definitions=(
        r"$x$ and $y$ are tokens of norm at most $R$, $\ell$ a Lipschitz constant of $\sigma$, and $\sigma(0) = 0$",
    ),
    steps=(
        Identity(
            r"$g u - g' u' = g (u - u') + u' (g - g')$, entry by entry, with $g = \sigma(W_g x)$, $u = W_u x$ and "
            r"$g'$, $u'$ for $y$.",
            lhs=_g * _u - _G * _U,
            rhs=_g * (_u - _U) + _U * (_g - _G),
            sizes="one entry, every number a symbol",
        ),
        Fact(
            r"$|g| \le \ell |W_g x| \le \ell \|W_g\| R$, $|u'| \le \|W_u\| R$, $|u - u'| \le \|W_u\| |x - y|$ and $|g "
            r"- g'| \le \ell \|W_g\| |x - y|$.",
            SUBMULTIPLICATIVE,
            letters={"S": "$W_g$ and $W_u$", "T": "$x$, $y$ and $x - y$"},
        ),
        Fact(
            r"So $|g \odot u - g' \odot u'| \le 2 \ell \|W_g\| \|W_u\| R |x - y|$.",
            LIPSCHITZ_TERMS,
            letters={"u": r"$\sigma(W_g x)$", "v": "$W_u x$"},
        ),
        Fact(
            r"Each token moves its own output only, and $W_d$ stretches by at most $\|W_d\|$.",
            BLOCK_DIAGONAL,
            letters={"D_i": "the quotient of the two differences of one token"},
        ),
        Concludes(r"The constant is $2 \ell \|W_d\| \|W_g\| \|W_u\| R$.", bound=norm_Wd * (_branch + _branch)),
    ),
)
