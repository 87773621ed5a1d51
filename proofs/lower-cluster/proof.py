"""Everything happens on the line of one eigenvector: a cluster at s u, the others at r u."""

from typing import Any

import sympy as sp

from bounds.notation import R, cluster, gamma_real, n, norm_Vu

from ..facts import QUOTIENT
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_lam, _r, _s = sp.symbols("lambda r s", real=True)
_k, _n = sp.symbols("k n", positive=True)
_R = sp.Symbol("R", positive=True)
_weight: Any = _k / (_k + (_n - _k) * sp.exp(-_lam * _r * (_s - _r)))
_spread = 2 * R**2 * gamma_real
_p = cluster / (cluster + (n - cluster) * sp.exp(-_spread))

PROOF = Proof(
    "lower-cluster",
    definitions=(
        r"$A u = \lambda u$ with a unit vector $u$; $k$ tokens are $s u$ and the other $n - k$ are $r u$",
        r"$t = \lambda r (s - r)$, and $p = k / (k + (n - k) e^{-t})$ is the weight of the cluster in a row of the "
        r"others",
    ),
    steps=(
        Identity(
            r"In a row of the others the scores are $\lambda r s$, $k$ times, and $\lambda r^2$: so $p$ is that "
            r"weight.",
            lhs=_k * sp.exp(_lam * _r * _s) / (_k * sp.exp(_lam * _r * _s) + (_n - _k) * sp.exp(_lam * _r**2)),
            rhs=_weight,
            sizes="every letter a symbol",
        ),
        Identity(
            r"When the cluster moves, $s$ to $s + \epsilon$, the row's output $V u (p s + (1 - p) r)$ moves at the "
            r"rate $p (1 + (1 - p) t)$ times $V u$.",
            lhs=sp.diff(_weight * _s + (1 - _weight) * _r, _s),
            rhs=_weight * (1 + (1 - _weight) * _lam * _r * (_s - _r)),
            sizes="every letter a symbol",
        ),
        Identity(
            r"For $\lambda \le 0$ take $s = R$ and $r = -R$: $t = 2 R^2 \gamma$ with $\gamma = -\lambda$.",
            lhs=(_lam * _r * (_s - _r)).subs({_s: _R, _r: -_R}),
            rhs=2 * _R**2 * (-_lam),
            sizes="every letter a symbol",
        ),
        Identity(
            r"For $\lambda \ge 0$ take $s = R$ and $r = R / 2$: $t = 2 R^2 \gamma$ with $\gamma = \lambda / 8$.",
            lhs=(_lam * _r * (_s - _r)).subs({_s: _R, _r: _R / 2}),
            rhs=2 * _R**2 * _lam / 8,
            sizes="every letter a symbol",
        ),
        Fact(
            r"With $|E| = \sqrt k$, the $n - k$ other rows alone give $|D f(X)[E]| \ge \sqrt{n - k}\, |V u| p (1 + (1 "
            r"- p) t)$.",
            QUOTIENT,
            letters={"f": "the head", "K": "the ball", "X": "these tokens", "E": "$-u$ for each token of the cluster"},
            because={"inside": "the cluster moves from the sphere towards the centre"},
        ),
        Concludes(
            r"The constant is at least $|V u| \sqrt{(n - k) / k}\, p (1 + (1 - p) t)$ with $t = 2 R^2 \gamma$.",
            bound=norm_Vu * sp.sqrt((n - cluster) / cluster) * _p * (1 + (1 - _p) * _spread),
        ),
    ),
)
