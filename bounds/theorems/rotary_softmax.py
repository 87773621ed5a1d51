"""Rotary positions: there is no one matrix A, and the score gradients of a row differ from key to key."""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, n, norm_KQ, norm_V
from ..theorem import Example, NearMiss, Theorem

rho = R**2 * norm_KQ  # every score lies in [-rho, rho]


def bound(spread: sp.Expr, own_score: sp.Expr = rho, slope: sp.Expr = 1 + rho) -> sp.Expr:
    return norm_V * (own_score + slope * sp.sqrt(n / (1 + (n - 1) * sp.exp(-spread))))


THEOREM = Theorem(
    __name__,
    title="Compact bound with rotary positions",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head with rotary positions has at most this "
    "Lipschitz constant, whatever the rotations are.",
    kind="upper",
    map="rotary softmax",
    norm="l2",
    domain="ball",
    expr=bound(spread=2 * rho),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={n: 64, R: 1, norm_KQ: 1, norm_V: 1}, digits="6.1839630082482034587"),
        Example(at={n: 5, R: 2, norm_KQ: 0.125, norm_V: 0.5}, digits="1.3167542882391554663"),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=rho), slip="half the spread of the scores"),
        NearMiss(claim=bound(spread=2 * rho, slope=sp.Integer(1)), slip="the scores do not move with the keys"),
        NearMiss(
            claim=bound(spread=2 * rho, own_score=sp.Integer(0), slope=sp.Integer(1)), slip="the weights do not move"
        ),
    ),
)
