"""Row by row: an average of changes, and two terms of at most 2 w each."""

import sympy as sp

from bounds.notation import column_sum_WQ, inverse_root_k, n, row_sum_WQ, row_sum_WV

from ..facts import CAUCHY_SCHWARZ, ENTRIES, SUBMULTIPLICATIVE, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact
from ..tied_distances import BACK_TO_TOKENS, DERIVATIVE, FAR_ON_AVERAGE, LETTERS

_w = sp.LambertW((n - 1) / sp.E)

PROOF = Proof(
    "l2-attention-largest-entry",
    definitions=(
        *LETTERS,
        r"$z_i = W_Q x_i = k^{1/4} y_i$ and its change $g_i$, with $|g_i|_\infty \le \|W_Q\|_\infty$",
    ),
    steps=(
        *DERIVATIVE,
        *FAR_ON_AVERAGE,
        Fact(
            r"For vectors with $k$ entries $|g|_\infty \le |g| \le \sqrt k |g|_\infty$. So $2 C_i$ moves $k^{-1/4} "
            r"g_i$ to at most $2 w k^{-1/4} \sqrt k |g_i|_\infty$ in its largest entry.",
            ENTRIES,
            letters={"x": "$g_i$, and what $C_i$, of norm at most $w$, makes of it"},
        ),
        Fact(
            r"$|\sum_j P_{ij} (\delta_j - \bar\delta) \langle \delta_j, g_j\rangle| \le \sum_j P_{ij} |\delta_j - "
            r"\bar\delta| |\delta_j| \max_j |g_j| \le w \sqrt k \max_j |g_j|_\infty$: the term of the keys is not "
            r"larger.",
            CAUCHY_SCHWARZ,
            letters={"x": r"$(\sqrt{P_{ij}} |\delta_j - \bar\delta|)_j$", "y": r"$(\sqrt{P_{ij}} |\delta_j|)_j$"},
        ),
        Fact(
            r"With the average of the $k^{-1/4} g_j$, at most $k^{-1/4} \|W_Q\|_\infty$, all together at most "
            r"$k^{-1/4} (4 w \sqrt k + 1) \|W_Q\|_\infty$; the fact is used twice.",
            TRIANGLE,
            letters={"S": "the first term, and the first two", "T": "the second, and the third"},
        ),
        Fact(
            r"Behind it stands $k^{-1/4} W_V W_Q^\top$, whose largest row sum is at most $k^{-1/4} \|W_V\|_\infty "
            r"\|W_Q\|_1$: the row sums of $W_Q^\top$ are the column sums of $W_Q$, and row sums multiply as norms do.",
            SUBMULTIPLICATIVE,
            letters={"S": "$W_V$", "T": r"$W_Q^\top$"},
        ),
        BACK_TO_TOKENS[-1],
        Concludes(
            r"The constant is $\|W_V\|_\infty \|W_Q\|_1 \|W_Q\|_\infty (4 w + k^{-1/2})$.",
            bound=row_sum_WV * column_sum_WQ * row_sum_WQ * (4 * _w + inverse_root_k),
        ),
    ),
)
