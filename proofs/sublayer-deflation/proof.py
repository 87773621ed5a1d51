"""The Jacobian of the sublayer by the chain rule, written as the blocks that are bounded, and then deflation."""

from typing import Any

import sympy as sp

from bounds.notation import deflated_norm, distance

from ..deflation import DEFINITIONS, STEPS
from ..facts import TRIANGLE
from ..normalization import MEANLESS, jacobian
from ..proof import Proof
from ..steps import Concludes, Fact, Identity


def _square(name: str) -> Any:
    return sp.Matrix(2, 2, lambda i, j: sp.Symbol(f"{name}_{i + 1}{j + 1}", real=True))


_J, _L, _R = (_square(name) for name in "JLR")
_T, _w, _x = _square("T"), sp.Matrix(sp.symbols("w_1:3", real=True)), sp.Matrix(sp.symbols("y_1:3", real=True))

PROOF = Proof(
    "sublayer-deflation",
    definitions=(
        r"$J$ is the Jacobian of the attention at the tokens that enter it; $R$ is that of the normalisation before it "
        r"and $L$ that of the one after the sum, token by token, each the identity where there is none",
        *DEFINITIONS,
    ),
    steps=(
        jacobian(MEANLESS),
        jacobian(sp.eye(3)),
        Identity(
            r"By the chain rule $Df(X) = L (I + J R)$, of which either $L$ or $R$ or both are the identity; its Gram "
            r"matrix is $L (I + J R + (J R)^\top + J R R^\top J^\top) L^\top$.",
            lhs=(_L * (sp.eye(2) + _J * _R)) * (_L * (sp.eye(2) + _J * _R)).T,
            rhs=_L * (sp.eye(2) + _J * _R + (_J * _R).T + _J * _R * _R.T * _J.T) * _L.T,
            sizes="two outputs, every entry a symbol",
        ),
        Identity(
            r"Behind a normalisation a row is $T + w y^\top$ with $T$ of the form without it; then "
            r"$(T + w y^\top)(T + w y^\top)^\top = T T^\top + w (T y)^\top + (T y) w^\top + |y|^2 w w^\top$.",
            lhs=(_T + _w * _x.T) * (_T + _w * _x.T).T,
            rhs=_T * _T.T + _w * (_T * _x).T + (_T * _x) * _w.T + _x.dot(_x) * _w * _w.T,
            sizes="two outputs and two inputs, every entry a symbol",
        ),
        Fact(
            r"$M = \hat L (I + \hat N)$ with $\hat L$ near $L$ and $\hat N$ near $J R$ has $\|Df(X) - M\| \le "
            r"\|L - \hat L\| (1 + \|J R\|) + \|\hat L\| \|J R - \hat N\|$.",
            TRIANGLE,
            letters={"S": r"$(L - \hat L)(I + J R)$", "T": r"$\hat L (J R - \hat N)$"},
        ),
        *STEPS,
        Concludes(r"$\|Df(X)\| \le \varepsilon + \sqrt{\theta}$.", bound=distance + sp.sqrt(deflated_norm)),
    ),
)
