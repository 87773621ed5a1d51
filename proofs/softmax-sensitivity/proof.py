"""The secular equation of a diagonal matrix less a rank-one matrix."""

import sympy as sp

from bounds.notation import softmax_sensitivity

from ..proof import Proof
from ..row import changes, scores, softmax
from ..softmax_row import SECULAR
from ..steps import Concludes, Identity

PROOF = Proof(
    "softmax-sensitivity",
    definitions=(
        r"$P_i$ is the softmax of a row of scores, as a column, and $J_i = \operatorname{diag}(P_i) - P_i P_i^\top$",
        r"$p_{(1)} \ge p_{(2)} \ge \dots$ are the sorted weights and $\mu = p_{(1)} (1 - p_{(1)} + p_{(2)})$, which is "
        r"at most $g(P)$",
    ),
    steps=(
        Identity(
            r"When the scores of a row move by $t$, its weights move by $J_i t$.",
            lhs=softmax.jacobian(scores) * changes,
            rhs=(sp.diag(*softmax) - softmax * softmax.T) * changes,
            sizes="n = 3 scores, each a symbol",
        ),
        *SECULAR,
        Concludes(r"The Jacobian is $J_i$, and $|J_i| \le g(P)$.", bound=softmax_sensitivity),
    ),
)
