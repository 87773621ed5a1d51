"""Two clusters of the best shares, in the limit of many tokens."""

import sympy as sp

from ..hypotheses import NO_QUERY_BIAS, UNMASKED
from ..notation import R, gamma_real, norm_Vu
from ..theorem import Example, NearMiss, Theorem


def bound(exponent: sp.Expr, weights: sp.Expr = R**2 * gamma_real, share: sp.Expr = sp.S.Half) -> sp.Expr:
    return share * norm_Vu * (1 + weights) * sp.exp(exponent)


THEOREM = Theorem(
    __name__,
    title="Mean-field lower bound",
    statement="On inputs of tokens of norm at most $R$, the Lipschitz constant of one softmax head for any number "
    "of tokens, and the one of its map of measures in the distance $W_2$, is at least this.",
    kind="lower",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(exponent=R**2 * gamma_real),
    source="new",
    hypotheses=(UNMASKED, NO_QUERY_BIAS),
    examples=(
        Example(at={R: 1, gamma_real: 2, norm_Vu: 1}, digits="11.083584148395975341"),
        Example(at={R: 2, gamma_real: 0.125, norm_Vu: 2}, digits="2.4730819060501922203"),
    ),
    near_misses=(
        NearMiss(claim=bound(exponent=2 * R**2 * gamma_real), slip="twice the exponent"),
        NearMiss(claim=bound(exponent=R**2 * gamma_real, share=sp.Integer(2)), slip="four times as much"),
    ),
)
