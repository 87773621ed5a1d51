"""The layer is a sum of heads, each with its slice of the output projection in its value map."""

from typing import Any

import sympy as sp

from bounds.notation import H, L, h

from ..facts import TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_W: Any = sp.Matrix(2, 4, lambda i, j: sp.Symbol(f"W_{i + 1}{j + 1}", real=True))
_o: Any = sp.Matrix([sp.Symbol(f"o_{i + 1}", real=True) for i in range(4)])
_total: Any = sp.Sum(L[h], (h, 1, H))

PROOF = Proof(
    "heads-added",
    definitions=(r"$W_O = [W_O^1, \dots, W_O^H]$, and $o^h$ is head $h$ before the output projection",),
    steps=(
        Identity(
            r"$W_O [o^1; \dots; o^H] = \sum_h W_O^h o^h$: head $h$ with the value map $W_O^h V^h$.",
            lhs=_W * _o,
            rhs=_W[:, :2] * _o[:2, :] + _W[:, 2:] * _o[2:, :],
            sizes="H = 2 heads of size 2 with an output of size 2, every entry a symbol",
        ),
        Fact(
            r"The change of a sum is at most the sum of the changes, at most $\sum_h L_h$ times the change of the "
            r"input; for $H$ terms the inequality is used $H - 1$ times.",
            TRIANGLE,
            letters={"S": r"the change of the heads up to $h$", "T": r"the change of head $h + 1$"},
        ),
        Concludes(r"The constant is $\sum_h L_h$.", bound=_total),
    ),
)
