"""On a ball under the causal mask, for any number of tokens: a constant without n.

No weight of row i exceeds exp(2 beta) / i, so that the rows are averages up to that factor, and the discrete Hardy
inequality bounds the averages of a sequence by twice the sequence.
"""

import sympy as sp

from ..hypotheses import CAUSAL
from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero = sp.Integer(0)


def bound(decay: sp.Expr, slope: sp.Expr = beta) -> sp.Expr:
    return norm_V * (rho + 2 * (1 + 2 * slope) * sp.exp(decay))


THEOREM = Theorem(
    __name__,
    title="Causal compact bound for any number of tokens",
    statement="On inputs of any number of tokens of norm at most $R$, one causal softmax head has at most this "
    "Lipschitz constant.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(decay=2 * beta),
    source="new",
    hypotheses=(CAUSAL,),
    examples=(
        Example(at={R: 1, norm_A: 0.5, norm_a: 0, norm_V: 1}, digits="11.37312731383618094144"),
        Example(at={R: 2, norm_A: 0.25, norm_a: 0.25, norm_V: 2}, digits="323.3685907710026838549"),
    ),
    near_misses=(
        NearMiss(claim=bound(decay=zero, slope=zero), slip="causal rows are plain averages"),
        NearMiss(claim=bound(decay=2 * rho, slope=rho), slip="the query bias is dropped"),
    ),
)
