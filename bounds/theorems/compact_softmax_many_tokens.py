"""On a ball: a constant without a token count, near the true one for many tokens.

A weight far above 1/n needs a row whose other tokens look the other way, which leaves little variance in that row, and
rows whose own tokens look the same way. The three together cost more than a factor: for large scores the bound is
sqrt(16/27) rho e^rho, where the mean-field limit of the compact bound is rho e^rho and a head with 0.65 rho e^rho is
known.
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, beta, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem

zero = sp.Integer(0)


def bound(spread: sp.Expr = beta, slope: sp.Expr = beta, own_score: sp.Expr = rho) -> sp.Expr:
    return norm_V * sp.exp(spread) * sp.sqrt(1 + sp.Rational(3, 5) * own_score + sp.Rational(16, 27) * slope**2)


THEOREM = Theorem(
    __name__,
    title="Compact bound for softmax attention on many tokens",
    statement="On inputs of any number of tokens of norm at most $R$, one softmax head has at most this Lipschitz "
    "constant; so has the map of measures on that ball, in the distance $W_2$.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="4.0250701445771678279"),
        Example(at={R: 0.5, norm_A: 3, norm_a: 2.5, norm_V: 2}, digits="28.884954884067955280"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=rho, slope=rho), slip="the query bias is dropped"),
        NearMiss(claim=bound(spread=beta / 2), slip="half the exponent"),
        NearMiss(claim=bound(spread=zero), slip="no weight exceeds 1/n"),
        NearMiss(claim=bound(slope=zero), slip="the weights move with x_i only"),
    ),
)
