"""Rows that see a prefix of the tokens: weights of at most exp(2 beta) over its length, and what a change of one "
"adds."""

from .facts import CAUCHY_SCHWARZ, SUBMULTIPLICATIVE, TRIANGLE
from .steps import Fact, Step
from .weight import AT_MOST_MEAN_FIELD, WEIGHTS

PREFIX_WEIGHTS: tuple[Step, ...] = (
    Fact(
        r"Where a token is seen $|s_{ij}| = |\langle b_i, x_j\rangle| \le \beta$, so two scores differ by at most "
        r"$2\beta$.",
        CAUCHY_SCHWARZ,
        letters={"x": "$b_i$", "y": "$x_j$"},
    ),
    *WEIGHTS,
    AT_MOST_MEAN_FIELD,
    Fact(
        r"With the $i$ tokens of row $i$ in place of $n$: $P_{ij} \le e^{2\beta} / i$. And $|x_j - m_i| \le |x_j| "
        r"+ |m_i| \le 2R$, for $m_i$ is an average of tokens.",
        TRIANGLE,
        letters={"S": "$x_j$", "T": "$-m_i$"},
    ),
    Fact(
        r"So $|V (e_j + (x_j - m_i) \langle b_i, e_j\rangle)| \le \|V\| (1 + 2 R |b_i|) |e_j| \le \|V\| (1 + 2 "
        r"\beta) |e_j|$.",
        SUBMULTIPLICATIVE,
        letters={"S": "$V$", "T": r"$I + (x_j - m_i) b_i^\top$"},
    ),
)
