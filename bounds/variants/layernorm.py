"""LayerNorm: every token minus its mean, divided by its standard deviation, with gain and bias."""

from ..formula import Definition, Formula, Letter
from ..letters import E, X, d, i, letter, n, r, summed, u
from ..unit_length import unit, unit_moved
from ..variant import Variant

gain, bias = letter("gamma", d), letter("beta", d)
z, dz = letter("z"), letter("dz")


def centred(left: Letter, tokens: Letter) -> Definition:
    return Definition(left[i, u], tokens[i, u] - summed(tokens[i, r], r, d) / d)


VARIANT = Variant(
    __name__,
    title="LayerNorm",
    statement=r"Every token is sent to $\gamma (x - \bar x) / (\mathrm{var}(x) + \epsilon)^{1/2} + \beta$.",
    map=Formula(gain[u] * letter(r"\hat{z}")[i, u] + bias[u], (centred(z, X), *unit("z", z, d, 1 / d))),
    closed_form=Formula(gain[u] * letter(r"d\hat{z}")[i, u], (centred(dz, E), *unit_moved("z", dz, d, 1 / d))),
    inputs={X: E},
    output={i: n, u: d},
    hypotheses=(r"$\epsilon > 0$, or no token has equal entries",),
)
