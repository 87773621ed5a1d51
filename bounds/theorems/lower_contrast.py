"""Two clusters at the two places where one stands out most from the other: the exponent of the upper bound is right."""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import attained_contrast, norm_Vz
from ..theorem import Example, NearMiss, Theorem


def bound(exponent: sp.Expr = attained_contrast / 2, share: sp.Expr = sp.S.Half) -> sp.Expr:
    return share * norm_Vz * (1 + attained_contrast / 2) * sp.exp(exponent)


THEOREM = Theorem(
    __name__,
    title="Lower bound by the contrast of the scores",
    statement="On inputs of tokens of norm at most $R$, the Lipschitz constant of one softmax head for any number of "
    "tokens, and the one of its map of measures in the distance $W_2$, is at least this.",
    kind="lower",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=bound(),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={attained_contrast: 4, norm_Vz: 1}, digits="11.083584148395975341"),
        Example(at={attained_contrast: 0.5, norm_Vz: 2}, digits="1.6050317708596768551"),
    ),
    near_misses=(
        NearMiss(claim=bound(exponent=attained_contrast), slip="twice the exponent"),
        NearMiss(claim=bound(share=sp.Integer(2)), slip="four times as much"),
    ),
)
