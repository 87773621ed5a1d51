"""RMSNorm: every token divided by its root mean square, times a gain."""

from ..formula import Formula
from ..letters import E, X, d, i, letter, n, u
from ..unit_length import unit, unit_moved
from ..variant import Variant

gain = letter("gamma", d)

VARIANT = Variant(
    __name__,
    title="RMSNorm",
    statement=r"Every token is sent to $\gamma x / (|x|^2 / d + \epsilon)^{1/2}$.",
    map=Formula(gain[u] * letter(r"\hat{x}")[i, u], unit("x", X, d, 1 / d)),
    closed_form=Formula(gain[u] * letter(r"d\hat{x}")[i, u], unit_moved("x", E, d, 1 / d)),
    inputs={X: E},
    output={i: n, u: d},
    hypotheses=(r"$\epsilon > 0$, or no token is 0",),
)
