"""CenterNorm: every token minus its mean, without any division by its length (LipsFormer, Qi et al. 2023)."""

import sympy as sp

from ..formula import Formula, Letter
from ..letters import E, X, d, i, letter, n, r, summed, u
from ..variant import Variant

gain, bias = letter("gamma", d), letter("beta", d)


def centred(tokens: Letter) -> sp.Expr:
    return d / (d - 1) * gain[u] * (tokens[i, u] - summed(tokens[i, r], r, d) / d)


VARIANT = Variant(
    __name__,
    title="CenterNorm",
    statement=r"Every token is sent to $\tfrac{d}{d - 1} \gamma (x - \bar x) + \beta$.",
    map=Formula(centred(X) + bias[u]),
    closed_form=Formula(centred(E)),
    inputs={X: E},
    output={i: n, u: d},
    hypotheses=("$d > 1$",),
)
