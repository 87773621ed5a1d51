"""Rows look no farther than w on average; columns are bounded by the number of rows."""

import sympy as sp

from bounds.notation import inverse_root_k, n, norm_WQ, norm_WV
from certify.inequality import Claim, Inverse

from ..facts import AVERAGE, BLOCK_DIAGONAL, BLOCK_ROW, CAUCHY_SCHWARZ, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact, Inequality
from ..tied_distances import BACK_TO_TOKENS, DERIVATIVE, FAR_ON_AVERAGE, LETTERS

_n, _v = sp.symbols("n v", real=True)
_w = sp.LambertW((n - 1) / sp.E)

PROOF = Proof(
    "l2-attention-published",
    definitions=LETTERS,
    steps=(
        *DERIVATIVE,
        *FAR_ON_AVERAGE,
        Fact(
            r"The term $2 C_i e_i$ has at most the norm $2 w$.",
            BLOCK_DIAGONAL,
            letters={"D_i": "$2 C_i$"},
        ),
        Fact(
            r"$|\sum_j P_{ij} e_j|^2 \le \sum_j P_{ij} |e_j|^2 \le \sum_j |e_j|^2$; over the $n$ rows that is at most "
            r"$n |E|^2$, and the norm at most $\sqrt n$.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}} I$", "e_j": r"$\sqrt{P_{ij}} e_j$"},
        ),
        Fact(
            r"$|\sum_j P_{ij} (\delta_j - \bar\delta) \langle \delta_j, e_j\rangle|^2 \le w \sum_j P_{ij} |\delta_j|^2 "
            r"|e_j|^2$.",
            CAUCHY_SCHWARZ,
            letters={
                "x": r"$(\sqrt{P_{ij}} |\delta_j - \bar\delta|)_j$",
                "y": r"$(\sqrt{P_{ij}} |\delta_j| |e_j|)_j$",
            },
        ),
        Fact(
            r"$P_{ij} |\delta_j|^2 \le w$ for each pair; over the $n$ rows that is at most $n w^2 |E|^2$, and twice "
            r"the norm at most $2 w \sqrt n$.",
            AVERAGE,
            letters={"q": r"$|e_j|^2$", "t": r"$\sum_i P_{ij} |\delta_j|^2$"},
            because={"nonnegative": "a squared norm is not negative"},
        ),
        Fact(
            r"Together at most $2 w + \sqrt n + 2 w \sqrt n$; the fact is used twice.",
            TRIANGLE,
            letters={"S": "the first map, and the first two", "T": "the second, and the third"},
        ),
        Inequality(
            r"$2 w \le 2 w \sqrt n$, for $\sqrt n \ge 1$.",
            Claim(sp.sqrt(_n) - 1, (Inverse(_n, _v),), multiplier=1 / sp.sqrt(_n), form=1 - sp.sqrt(_v)),
        ),
        *BACK_TO_TOKENS,
        Concludes(
            r"The constant is $\|W_V\| \|W_Q\|^2 k^{-1/2} \sqrt n (4 w + 1)$.",
            bound=norm_WV * norm_WQ**2 * inverse_root_k * sp.sqrt(n) * (4 * _w + 1),
        ),
    ),
)
