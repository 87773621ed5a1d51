"""Rotations change no norm; but a row's score gradients differ, so that the cross terms stay."""

import sympy as sp

from bounds.notation import R, n, norm_KQ, norm_V

from ..ball import ON_THE_BALL
from ..facts import CAUCHY_SCHWARZ, SUBMULTIPLICATIVE
from ..gradients import LETTERS, moving_scores
from ..proof import Proof
from ..steps import Concludes, Fact
from ..weight import WEIGHTS, largest_weight

_rho = R**2 * norm_KQ
_columns = sp.sqrt(n * largest_weight(n, spread=2 * _rho))

PROOF = Proof(
    "rotary-softmax",
    definitions=(
        *LETTERS,
        r"the values are $V x_j$, every token has $|x_i| \le R$, and $\rho = R^2 \|K\| \|Q\| / \sqrt k$",
        r"$w = 1 / (1 + (n - 1) e^{-2\rho})$",
    ),
    steps=(
        Fact(
            r"$g_{ij} = Q^\top \mathrm{Rot}_i^\top \mathrm{Rot}_j K x_j / \sqrt k$ and $h_{ij} = K^\top "
            r"\mathrm{Rot}_j^\top \mathrm{Rot}_i Q x_i / \sqrt k$ are not longer than $\rho / R$, for a rotation has "
            r"the norm one.",
            SUBMULTIPLICATIVE,
            letters={"S": "the maps, one after the other", "T": "$x_j$, or $x_i$"},
        ),
        *moving_scores(values=r"\|V\| R", own=r"$\|V\| \rho$", keys=r"$\|V\| \rho$"),
        Fact(
            r"A score is at most $\rho$ in absolute value, so two of them differ by at most $2\rho$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$g_{ij}$", "y": "$x_i$"},
        ),
        *(WEIGHTS),
        ON_THE_BALL,
        Concludes(
            r"With $y_j' = V e_j$ and $\sum_i P_{ij} \le n w$ the constant is $\|V\| (\rho + (1 + \rho) \sqrt{n w})$.",
            bound=norm_V * _rho + norm_V * _rho * _columns + norm_V * _columns,
        ),
    ),
)
