"""A symmetric Jacobian whose row sums are 2 p (1 - p)."""

from typing import Any

import sympy as sp

from certify.inequality import Claim, Segment

from ..facts import MEAN_VALUE, RIESZ_THORIN
from ..proof import Proof
from ..row import changes, p, scores, softmax
from ..steps import Concludes, Fact, Identity, Inequality

_weights: Any = sp.Matrix(p)
_J: Any = sp.diag(*p) - _weights * _weights.T
_p = sp.Symbol("p", real=True)

PROOF = Proof(
    "softmax-half",
    definitions=(r"$p$ is the softmax of the scores and $J = \operatorname{diag}(p) - p p^\top$",),
    steps=(
        Identity(
            r"When the scores move by $t$, the weights move by $J t$.",
            lhs=softmax.jacobian(scores) * changes,
            rhs=(sp.diag(*softmax) - softmax * softmax.T) * changes,
            sizes="n = 3 scores, each a symbol",
        ),
        Identity(
            r"$J$ is symmetric, its diagonal is $p_k (1 - p_k) \ge 0$ and the rest is $-p_k p_l \le 0$; so the "
            r"absolute values of row $k$ sum to $p_k (1 - p_k) + \sum_{l \ne k} p_k p_l = 2 p_k (1 - p_k)$.",
            lhs=sp.Matrix([_J[k, k] - sum(_J[k, j] for j in range(3) if j != k) for k in range(3)]),
            rhs=sp.Matrix([2 * weight * (1 - weight) for weight in p]),
            sizes="n = 3 weights, which sum to one",
        ),
        Inequality(r"$2 p (1 - p) \le 1/2$ on $[0, 1]$.", Claim((1 - 2 * _p) ** 2, (Segment(_p, 0, 1),))),
        Fact(
            r"Row sums and column sums of a symmetric matrix are the same; so $\|J\|_p \le 1/2$ for every $p$ from $1$ "
            r"to $\infty$.",
            RIESZ_THORIN,
            letters={"M": "$J$"},
        ),
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant.",
            MEAN_VALUE,
            letters={"f": "softmax", "K": "all vectors of scores", "L": "one half"},
            because={"convex": "the whole space", "differentiable": "exponentials are, and their sum is not zero"},
        ),
        Concludes(r"The constant is $1/2$.", bound=sp.Rational(1, 2)),
    ),
)
