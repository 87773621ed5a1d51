"""At a point where nearly every row has chosen one token: what is left is how many rows chose the same."""

import sympy as sp

from ..notation import diameter, followers, largest_b, leak, n, norm_A, norm_V
from ..theorem import Example, NearMiss, Theorem

zero, one = sp.Integer(0), sp.Integer(1)


def bound(rows: sp.Expr = followers, own: sp.Expr = norm_A * diameter**2 * leak, b: sp.Expr = largest_b) -> sp.Expr:
    spread = 1 + (b * diameter) ** 2 * leak
    return norm_V * (own + sp.sqrt(spread * (rows + n * leak)))


THEOREM = Theorem(
    __name__,
    title="Local bound where every row has chosen",
    statement=r"If every row gives all tokens but one together at most the weight $\varepsilon$, and no token is the "
    r"choice of more than $f$ rows, one softmax head has a Jacobian of at most this norm; in the limit of a large "
    r"radius $\varepsilon$ vanishes and $\|V\| \sqrt f$ is left.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="point",
    expr=bound(),
    source="new",
    examples=(
        Example(
            at={n: 8, norm_V: 2, norm_A: 3, diameter: 2, largest_b: 3, leak: 0.0625, followers: 3},
            digits="8.2453687816160207328",
        ),
        Example(
            at={n: 5, norm_V: 1, norm_A: 3, diameter: 2, largest_b: 0, leak: 0.125, followers: 1},
            digits="2.7747548783981962075",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(rows=one), slip="every row has a choice of its own"),
        NearMiss(claim=bound(b=zero, own=zero), slip="weights do not move"),
        NearMiss(claim=norm_V * sp.sqrt(followers), slip="the limit in place of the bound"),
    ),
)
