"""The cluster's share that makes its weight one half."""

import sympy as sp

from bounds.notation import R, gamma_real, norm_Vu

from ..facts import CONTINUITY, DENSITY
from ..proof import Proof
from ..steps import Cites, Concludes, Fact, Identity

_q = sp.Symbol("q", positive=True)
_t = sp.Symbol("t", real=True)
_share = 1 / (1 + sp.exp(_t))
_weight = _q / (_q + (1 - _q) * sp.exp(-_t))
_half = R**2 * gamma_real

PROOF = Proof(
    "lower-mean-field",
    definitions=(
        r"$t = 2 R^2 \gamma$, and $q = k / n$ is the share of the cluster",
        r"the letters are those of the lower bound by a cluster",
    ),
    steps=(
        Cites(r"For every $n$ and $k$ the lower bound by a cluster holds; it depends on $q$ only.", "lower-cluster"),
        Fact(
            r"It is continuous in $q$; so the supremum over $n$ and $k$ is at least its value at any real $q$ in $(0, "
            r"1)$.",
            CONTINUITY,
            letters={"set": "rational shares $k / n$"},
            because={"dense": "rational numbers"},
        ),
        Identity(
            r"With the share $q = 1 / (1 + e^t)$ the weight is $p = 1/2$.",
            lhs=_weight.subs(_q, _share),
            rhs=sp.S.Half,
            sizes="t a symbol",
        ),
        Identity(
            r"And $(1 - q) / q = e^t$, so that the bound is $|V u| e^{t/2} \tfrac12 (1 + t / 2)$.",
            lhs=((1 - _q) / _q).subs(_q, _share),
            rhs=sp.exp(_t),
            sizes="t a symbol",
        ),
        Fact(
            r"For uniform measures on $n$ points distances are those of the tokens over $\sqrt n$; a constant of the "
            r"map of measures is one for close sets of tokens, whose best permutation is the identity, so it is not "
            r"smaller.",
            DENSITY,
            letters={"points": "the tokens of the two clusters, which move less than half their distance"},
            because={"compact": "a closed ball"},
        ),
        Concludes(
            r"With $t / 2 = R^2 \gamma$ it is $\tfrac12 |V u| (1 + R^2 \gamma) e^{R^2 \gamma}$.",
            bound=norm_Vu * sp.exp(_half) * (1 + _half) / 2,
        ),
    ),
)
