"""The output projection acts on each token alone, and the heads stand side by side before it."""

import sympy as sp

from bounds.notation import H, L, h, norm_WO

from ..facts import BLOCK_DIAGONAL, SUBMULTIPLICATIVE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_o = sp.Matrix(3, 2, lambda i, j: sp.Symbol(f"o_{i + 1}{j + 1}", real=True))  # three heads of size two, one token

PROOF = Proof(
    "heads-joined",
    definitions=(
        r"$o^h$ is head $h$ before the output projection, so that the map is $X \mapsto W_O [o^1; \dots; o^H]$, token "
        r"by token, up to a constant",
        r"$\delta o^h$ is the difference of $o^h$ at two inputs of the set (or its derivative along one direction), "
        r"and $\|E\|$ is the norm of the difference of the inputs (or of the direction)",
    ),
    steps=(
        Identity(
            r"Heads side by side add their squares: $|[\delta o^1; \dots; \delta o^H]|^2 = \sum_h |\delta o^h|^2$.",
            lhs=sum((entry**2 for entry in _o.reshape(6, 1)), sp.S.Zero),
            rhs=sum((_o.row(i).dot(_o.row(i)) for i in range(3)), sp.S.Zero),
            sizes="H = 3 heads of size 2, every entry a symbol",
        ),
        Fact(
            r"On all tokens together the output projection has the norm $\|W_O\|$.",
            BLOCK_DIAGONAL,
            letters={"D_i": "$W_O$, once for each token"},
        ),
        Fact(
            r"So the map changes by at most $\|W_O\| (\sum_h \|\delta o^h\|^2)^{1/2} \le \|W_O\| (\sum_h L_h^2)^{1/2} "
            r"\|E\|$.",
            SUBMULTIPLICATIVE,
            letters={"S": r"$W_O$ on every token", "T": r"the column $[\delta o^1; \dots; \delta o^H]$"},
        ),
        Concludes(
            r"The constant is $\|W_O\| (\sum_h L_h^2)^{1/2}$.", bound=norm_WO * sp.sqrt(sp.Sum(L[h] ** 2, (h, 1, H)))
        ),
    ),
)
