"""The masked mean-field limit: measures on pairs of a time and a token, where a token sees what is not later."""

from ..hypotheses import CAUSAL
from ..notation import R, norm_A, norm_a, norm_V
from ..theorem import Example, NearMiss, Theorem
from .compact_softmax_causal_hardy import THEOREM as TOKENS

THEOREM = Theorem(
    __name__,
    title="Masked mean-field bound in the conditional distance",
    statement=r"On measures on $[0, 1]$ times the ball of radius $R$, with one law $\theta$ of the times, the map of a "
    r"softmax head that sees what is not later has at most this Lipschitz constant in the conditional distance "
    r"$d_2(\mu, \nu)^2 = \int W_2(\mu^\tau, \nu^\tau)^2 \, d\theta(\tau)$; a sequence of tokens is the case of as many "
    r"times, each with one token.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="ball",
    expr=TOKENS.expr,
    source="new",
    hypotheses=(CAUSAL,),
    examples=(
        Example(at={R: 1, norm_A: 0.5, norm_a: 0, norm_V: 2}, digits="22.746254627672361883"),
        Example(at={R: 1, norm_A: 0, norm_a: 0.5, norm_V: 1}, digits="10.873127313836180941"),
    ),
    near_misses=tuple(NearMiss(claim=miss.claim, slip=miss.slip) for miss in TOKENS.near_misses),
)
