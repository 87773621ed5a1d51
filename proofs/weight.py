"""The largest weight of an unmasked row whose scores differ by at most 2 beta: w = 1 / (1 + (n - 1) exp(-2 beta))."""

import sympy as sp

from certify.inequality import Claim, HalfLine, Inverse

from .row import scores, softmax
from .steps import Identity, Inequality, Step

n, beta, gap = sp.symbols("n beta g", real=True)
_u, _E, _v = sp.symbols("u E v", real=True)
_tokens = Inverse(n, _v)
_beta = HalfLine(beta, _u, _E)


def largest_weight(tokens: sp.Expr, spread: sp.Expr) -> sp.Expr:
    """No weight of a row is larger when the scores of the row differ by at most `spread`."""
    return 1 / (1 + (tokens - 1) * sp.exp(-spread))


WEIGHTS: tuple[Step, ...] = (
    Identity(
        r"$P_{ij} = 1 / (1 + \sum_{l \ne j} e^{s_{il} - s_{ij}})$.",
        lhs=softmax[0],
        rhs=1 / (1 + sp.exp(scores[1] - scores[0]) + sp.exp(scores[2] - scores[0])),
        sizes="n = 3 scores, each a symbol",
    ),
    Inequality(
        r"Each of the $n - 1$ exponentials is at least the one of the largest difference: with $g \ge 0$ for how much "
        r"smaller the difference is, $1 - e^{-g} \ge 0$. So $P_{ij} \le w$.",
        Claim(1 - sp.exp(-gap), (HalfLine(gap, _u, _E),), form=1 - _E),
    ),
)

AT_MOST_ONE = Inequality(
    r"$0 < w \le 1$, for $(n - 1) e^{-2\beta} \ge 0$ whenever $n \ge 1$ and $\beta \ge 0$.",
    Claim(
        (n - 1) * sp.exp(-2 * beta),
        (_beta, _tokens),
        multiplier=1 / n,
        form=(1 - _v) * _E**2,
    ),
)

AT_MOST_MEAN_FIELD = Inequality(
    r"$n w e^{-2\beta} \le 1$, for $1 + (n - 1) e^{-2\beta} - n e^{-2\beta} \ge 0$ whenever $n \ge 1$ and $\beta \ge "
    r"0$.",
    Claim(
        1 + (n - 1) * sp.exp(-2 * beta) - n * sp.exp(-2 * beta),
        (_beta, _tokens),
        multiplier=1 / n,
        form=_v * (1 - _E**2),
    ),
)
