"""As with a cluster on a line; here the two places are any two, and the moved tokens move along their difference."""

from typing import Any

import sympy as sp

from bounds.notation import attained_contrast, norm_Vz

from ..facts import CONTINUITY, DENSITY, QUOTIENT
from ..proof import Proof
from ..row import A, a
from ..steps import Concludes, Fact, Identity

_m: Any = sp.Matrix(sp.symbols("m_1:3", real=True))
_z: Any = sp.Matrix(sp.symbols("z_1:3", real=True))
_q, _eps = sp.symbols("q epsilon", positive=True)
_t = sp.Symbol("t", real=True)


def _weight(contrast: Any) -> Any:
    """Of the tokens of share q, in a row of the others."""
    return _q / (_q + (1 - _q) * sp.exp(-contrast))


PROOF = Proof(
    "lower-contrast",
    definitions=(
        r"$k$ of $n$ tokens are $z$ and the others $m$; $q = k / n$ is the share of the first, and $p = q / (q + (1 - "
        r"q) e^{-t})$ their weight in a row of the others",
    ),
    steps=(
        Identity(
            r"In a row of the others the scores differ by $\langle A m + a, z - m\rangle = t$, so that $p$ is that "
            r"weight; and by $(1 + \epsilon) t$ when the $k$ tokens are $z + \epsilon (z - m)$.",
            lhs=(A * _m + a).dot(_z + _eps * (_z - _m)) - (A * _m + a).dot(_m),
            rhs=(1 + _eps) * (A * _m + a).dot(_z - _m),
            sizes="size 2, every entry a symbol",
        ),
        Identity(
            r"The average of such a row is $m$ plus the weight times $(1 + \epsilon) (z - m)$; it moves at the rate "
            r"$p (1 + (1 - p) t) (z - m)$.",
            lhs=sp.diff(_weight((1 + _eps) * _t) * (1 + _eps), _eps).subs(_eps, 0),
            rhs=_weight(_t) * (1 + (1 - _weight(_t)) * _t),
            sizes="every letter a symbol",
        ),
        Fact(
            r"With $|E| = \sqrt k |z - m|$ the $n - k$ other rows alone give the quotient $|V \hat z| \sqrt{(1 - q) / "
            r"q}\, p (1 + (1 - p) t)$.",
            QUOTIENT,
            letters={"f": "the head", "K": "the ball", "X": "these tokens", "E": "$m - z$ for each of the $k$ tokens"},
            because={"inside": "the ball is convex, and the tokens move towards $m$"},
        ),
        Fact(
            r"It is continuous in $q$; so the supremum over $n$ and $k$ is at least its value at any real $q$ in $(0, "
            r"1)$.",
            CONTINUITY,
            letters={"set": "rational shares $k / n$"},
            because={"dense": "rational numbers"},
        ),
        Identity(
            r"With the share $q = 1 / (1 + e^t)$ the weight is $p = 1/2$.",
            lhs=_weight(_t).subs(_q, 1 / (1 + sp.exp(_t))),
            rhs=sp.S.Half,
            sizes="t a symbol",
        ),
        Identity(
            r"And $(1 - q) / q = e^t$.",
            lhs=((1 - _q) / _q).subs(_q, 1 / (1 + sp.exp(_t))),
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
            r"The constant is at least $\tfrac12 |V \hat z| (1 + t / 2) e^{t / 2}$.",
            bound=norm_Vz * (1 + attained_contrast / 2) * sp.exp(attained_contrast / 2) / 2,
        ),
    ),
)
