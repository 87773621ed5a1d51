"""How one row of attention moves with its scores and values: the two identities behind every derivative here."""

import sympy as sp

from .row import SIZES, average, changes, m, p, scores, softmax, tokens, x
from .steps import Identity

_mean_change = sum(weight * change for weight, change in zip(p, changes, strict=True))

WEIGHTS_MOVE = Identity(
    r"When the scores of a row move by $t$, its weights move by $P_j (t_j - \sum_l P_l t_l)$; constants "
    r"$c_{ij}$ do not move.",
    lhs=softmax.jacobian(scores) * changes,
    rhs=sp.Matrix([softmax[j] * (changes[j] - softmax.dot(changes)) for j in tokens]),
    sizes="n = 3 scores, each a symbol",
)

CENTRED = Identity(
    r"For values $y_j$ with the average $m = \sum_j P_j y_j$ that gives $\sum_j P_j (t_j - \sum_l P_l t_l) y_j = "
    r"\sum_j P_j t_j (y_j - m)$.",
    lhs=average([(changes[j] - _mean_change) * x[j] for j in tokens]),
    rhs=average([changes[j] * (x[j] - m) for j in tokens]),
    sizes=SIZES,
)
