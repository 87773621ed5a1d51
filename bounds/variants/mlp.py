"""The feed-forward block of a transformer, with GELU."""

from ..formula import Formula
from ..letters import D, E, X, d, i, letter, n, q, summed, u
from ..projections import projected
from ..scalar_functions import GELU
from ..variant import Variant

into, out = letter("W^1", D, d), letter("W^2", d, D)
bias_in, bias_out = letter("b^1", D), letter("b^2", d)
a, da = letter("a"), letter("da")

VARIANT = Variant(
    __name__,
    title="Feed-forward block",
    statement=r"Every token is sent to $W^2 \sigma(W^1 x + b^1) + b^2$ with GELU for $\sigma$.",
    map=Formula(summed(out[u, q] * GELU.value(a[i, q]), q, D) + bias_out[u], (projected(a[i, q], into, X, bias_in),)),
    closed_form=Formula(summed(out[u, q] * GELU.slope(a[i, q]) * da[i, q], q, D), (projected(da[i, q], into, E),)),
    inputs={X: E},
    output={i: n, u: d},
)
