"""A product of two branches: on a ball only, since it grows like the square of the radius."""

from ..notation import R, norm_Wd, norm_Wg, norm_Wu, slope
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Gated perceptron on a ball",
    statement=r"On tokens of norm at most $R$ the gated perceptron has at most this Lipschitz constant.",
    kind="upper",
    map="gated mlp",
    norm="l2",
    domain="ball",
    expr=2 * slope * norm_Wd * norm_Wg * norm_Wu * R,
    source="new",
    examples=(Example(at={slope: 1.25, norm_Wd: 2, norm_Wg: 3, norm_Wu: 0.5, R: 2}, digits="15"),),
    near_misses=(
        NearMiss(claim=slope * norm_Wd * norm_Wg * norm_Wu * R, slip="the gate is taken for a constant"),
        NearMiss(claim=2 * slope * norm_Wd * norm_Wg * norm_Wu, slip="the radius is forgotten"),
    ),
)
