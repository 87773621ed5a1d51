"""Attention with sigmoid weights: no row is normalised, and the constant grows like n."""

import sympy as sp

from ..notation import R, beta, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

largest_weight = 1 / (1 + sp.exp(-beta))

THEOREM = Theorem(
    __name__,
    title="Sigmoid attention on a ball",
    statement="On inputs of $n$ tokens of norm at most $R$, sigmoid attention has at most this Lipschitz constant.",
    kind="upper",
    map="sigmoid attention",
    norm="l2",
    domain="ball",
    expr=norm_V * n * (largest_weight + (rho + beta) / 4),
    source="new",
    examples=(
        Example(at={n: 16, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="19.696937258080078068"),
        Example(at={n: 3, R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="9.4097824678672946644"),
    ),
    near_misses=(
        NearMiss(claim=norm_V * n * largest_weight, slip="weights do not move"),
        NearMiss(claim=norm_V * n * (sp.Rational(1, 2) + (rho + beta) / 4), slip="no weight exceeds one half"),
        NearMiss(claim=norm_V * n * (largest_weight + (rho + beta) / 16), slip="the slope squared in place of it"),
        NearMiss(
            claim=norm_V * sp.sqrt(n) * (largest_weight + (rho + beta) / 4), slip="rows are normalised as with softmax"
        ),
    ),
)
