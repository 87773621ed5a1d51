"""The secular equation has one root between the two largest weights, and that is the largest eigenvalue."""

import sympy as sp

from bounds.notation import softmax_root

from ..facts import DETERMINANT_LEMMA, INTERLACING
from ..proof import Proof
from ..row import changes, scores, softmax
from ..steps import Concludes, Fact, Identity

_t = sp.Symbol("t", real=True)
_p = sp.symbols("p_1:4", positive=True)
_phi = 1 + sum(weight**2 / (_t - weight) for weight in _p)

PROOF = Proof(
    "softmax-exact",
    definitions=(
        r"$p$ is the softmax of the scores, $J = \operatorname{diag}(p) - p p^\top$, and $\varphi(t) = 1 + \sum_k "
        r"p_k^2 / (t - p_k)$",
        r"$p_{(1)} \ge p_{(2)}$ are the two largest weights",
    ),
    steps=(
        Identity(
            r"When the scores move by $t$, the weights move by $J t$.",
            lhs=softmax.jacobian(scores) * changes,
            rhs=(sp.diag(*softmax) - softmax * softmax.T) * changes,
            sizes="n = 3 scores, each a symbol",
        ),
        Fact(
            r"$\det(t I - J) = \det(t I - \operatorname{diag}(p))\, \varphi(t)$ where $t$ is no weight.",
            DETERMINANT_LEMMA,
            letters={"D": r"$t I - \operatorname{diag}(p)$", "p": "$p$"},
            because={"invertible": "$t$ is no weight"},
        ),
        Identity(
            r"$\varphi' = -\sum_k p_k^2 / (t - p_k)^2 < 0$. Between $p_{(2)}$ and $p_{(1)}$ it falls from $+\infty$ to "
            r"$-\infty$: there is one root there, if $p_{(1)} > p_{(2)} > 0$.",
            lhs=sp.diff(_phi, _t),
            rhs=-sum(weight**2 / (_t - weight) ** 2 for weight in _p),
            sizes="n = 3 weights, each a symbol",
        ),
        Fact(
            r"Above the root $t I - J = D + p p^\top$ has at most the one negative eigenvalue of $D$ and, with $\det "
            r"D < 0$ and $\varphi < 0$, a positive determinant: no negative one. At the root the determinant is zero. "
            r"So the root is $\lambda_{\max}(J) = |J|$.",
            INTERLACING,
            letters={"D": r"$t I - \operatorname{diag}(p)$", "p": "$p$"},
            because={"symmetric": "it is diagonal"},
        ),
        Fact(
            r"If $p_{(1)} = p_{(2)}$ the largest eigenvalue lies between both, and is that weight; if $p_{(2)} = 0$ "
            r"then $J = 0$, and $t = 0$ is the limit of the roots.",
            INTERLACING,
            letters={"D": "$-\\operatorname{diag}(p)$", "p": "$p$"},
            because={"symmetric": "it is diagonal"},
        ),
        Concludes(r"$|J| = t$.", bound=softmax_root),
    ),
)
