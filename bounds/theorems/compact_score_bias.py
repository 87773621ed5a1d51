"""On a ball, with position biases in the scores: their spread adds to that of the scores."""

import sympy as sp

from ..hypotheses import FINITE_CONSTANTS
from ..notation import R, beta, bias_spread, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem


def bound(spread: sp.Expr, slope: sp.Expr = beta) -> sp.Expr:
    weight = 1 / (1 + (n - 1) * sp.exp(-spread))
    return norm_V * (rho + sp.sqrt(1 + slope**2) * sp.sqrt(n * weight))


THEOREM = Theorem(
    __name__,
    title="Compact bound with score biases",
    statement=r"On inputs of $n$ tokens of norm at most $R$, one softmax head with score biases (ALiBi, relative "
    "positions) has at most this Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * beta + bias_spread),
    source="new",
    hypotheses=(FINITE_CONSTANTS,),
    examples=(
        Example(at={R: 1, norm_A: 0.5, norm_a: 0, norm_V: 1, n: 16, bias_spread: 2}, digits="3.8837062781334276694"),
        Example(at={R: 1, norm_A: 0.5, norm_a: 0.5, norm_V: 1, n: 16, bias_spread: 2}, digits="5.5103158543906301052"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=2 * beta), slip="the biases leave the weights alone"),
        NearMiss(claim=bound(spread=2 * beta + bias_spread / 2), slip="half the spread"),
        NearMiss(claim=bound(spread=bias_spread), slip="the scores leave the weights alone"),
        NearMiss(claim=bound(spread=2 * rho + bias_spread, slope=rho), slip="the query bias is dropped"),
    ),
)
