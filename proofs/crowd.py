"""The sum of a column of softmax weights, by the Gibbs principle used twice: no token stands out by more than chi."""

import sympy as sp

from .facts import AVERAGE, GIBBS
from .row import SIZES, A, X, a, average, p, tokens, x
from .steps import Fact, Identity, Step

_score = [[(A * x[i] + a).dot(x[j]) for j in tokens] for i in tokens]
_m = average(x)

CROWD_LETTERS = (
    r"$q_i = \tfrac1n \sum_l e^{s_{il}}$, so that $P_{ij} = e^{s_{ij}} / (n q_i)$; $u$ has the weights $1 / n$",
    r"$S_j = \sum_i P_{ij}$ is a column sum, $\nu_i = P_{ij} / S_j$ are the shares of the rows in it, and $m = \sum_i "
    r"\nu_i x_i$",
)

COLUMN_SUMS: tuple[Step, ...] = (
    Fact(
        r"$\log S_j = \log \sum_i \tfrac1n e^{s_{ij} - \log q_i} = \sum_i \nu_i (s_{ij} - \log q_i) - \mathrm{KL}(\nu "
        r"| u)$.",
        GIBBS,
        letters={"f": r"$s_{ij} - \log q_i$", r"\nu": r"$\nu$, which is proportional to $e^{s_{ij} - \log q_i}$"},
    ),
    Fact(
        r"$\log q_i \ge \sum_l \nu_l s_{il} - \mathrm{KL}(\nu | u)$, for the same $\nu$. Put in, the divergences "
        r"cancel: $\log S_j \le \sum_i \nu_i s_{ij} - \sum_i \nu_i \sum_l \nu_l s_{il}$.",
        GIBBS,
        letters={"f": "$s_{il}$", r"\nu": r"$\nu$"},
    ),
    Identity(
        r"With $s_{ij} = \langle A x_i + a, x_j\rangle$ that is $\langle A m + a, x_j - m\rangle$.",
        lhs=sum((p[i] * (_score[i][0] - sum(p[k] * _score[i][k] for k in tokens)) for i in tokens), sp.S.Zero),
        rhs=(A * _m + a).dot(X.row(0).T - _m),
        sizes=SIZES,
    ),
    Fact(
        r"$|m| \le \sum_i \nu_i |x_i| \le R$; so $S_j \le e^\chi$.",
        AVERAGE,
        letters={"q": r"$\nu_i$", "t": "$|x_i|$"},
        because={"nonnegative": "weights are not negative"},
    ),
)
