"""The gated feed-forward block, with SiLU (Shazeer 2020)."""

from ..formula import Formula
from ..letters import D, E, X, d, i, letter, n, q, summed, u
from ..projections import projected
from ..scalar_functions import SILU
from ..variant import Variant

gate, up, down = letter("W^g", D, d), letter("W^u", D, d), letter("W^d", d, D)
a, b, da, db = (letter(name) for name in ("a", "b", "da", "db"))
moved = SILU.slope(a[i, q]) * da[i, q] * b[i, q] + SILU.value(a[i, q]) * db[i, q]

VARIANT = Variant(
    __name__,
    title="Gated feed-forward block",
    statement=r"Every token is sent to $W^d (\sigma(W^g x) \odot W^u x)$ with SiLU for $\sigma$.",
    map=Formula(
        summed(down[u, q] * SILU.value(a[i, q]) * b[i, q], q, D),
        (projected(a[i, q], gate, X), projected(b[i, q], up, X)),
    ),
    closed_form=Formula(summed(down[u, q] * moved, q, D), (projected(da[i, q], gate, E), projected(db[i, q], up, E))),
    inputs={X: E},
    output={i: n, u: d},
    note="Quadratic in the input where the gate is open, so not Lipschitz on all inputs.",
)
