"""On a ball under the causal mask: the constant grows like the root of log n where scores are flat, not like sqrt(n).

Row i has i weights, of which none exceeds 1 / (1 + (i - 1) exp(-2 beta)); the first column collects all of them, and
the rest is the unmasked proof. The sum is exp(2 beta) (digamma(n + exp(2 beta)) - digamma(exp(2 beta))).
"""

from typing import Any

import sympy as sp

from ..hypotheses import CAUSAL
from ..notation import R, beta, i, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero = sp.Integer(0)


def bound(spread: sp.Expr, slope: sp.Expr = beta) -> sp.Expr:
    column: Any = sp.Sum(1 / (1 + i * sp.exp(-spread)), (i, 0, n - 1))
    return norm_V * (rho + sp.sqrt(1 + slope**2) * sp.sqrt(column))


THEOREM = Theorem(
    __name__,
    title="Compact bound for causal softmax attention",
    statement="On inputs of $n$ tokens of norm at most $R$, one causal softmax head has at most this Lipschitz "
    "constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * beta),
    source="new",
    hypotheses=(CAUSAL,),
    examples=(
        Example(at={n: 20, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="5.484700669571527412910949"),
        Example(at={n: 7, R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="13.02685755447249881567"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=zero, slope=zero), slip="the weights are as flat as 1 / i"),
        NearMiss(claim=bound(spread=2 * rho, slope=rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(spread=2 * beta, slope=zero), slip="the weights move with x_i only"),
    ),
)
