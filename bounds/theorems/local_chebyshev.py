r"""At a point, with a stated probability: what a random start says about the norm after a three-term recurrence.

The columns W_0 are Gaussian, the F_j are what rounding does. Along a leading pair of singular vectors the recurrence is
that of the Chebyshev polynomials at s = |M| / l, and T_k grows so fast for s > 1 that a short W_k shows s to be near 1.
Only the start has to be lucky: its part along one fixed direction must be at least the overlap c.
"""

import sympy as sp

from ..hypotheses import OVERLAP
from ..notation import growth, inverse_degree, level
from ..theorem import Example, NearMiss, Theorem


def bound(growth: sp.Expr, angle: sp.Expr = sp.S.One) -> sp.Expr:
    """level cosh(angle arcosh(1 + growth) / k)."""
    power = angle * inverse_degree * sp.log(1 + growth + sp.sqrt(growth * (growth + 2)))
    return level * (sp.exp(power) + sp.exp(-power)) / 2


THEOREM = Theorem(
    __name__,
    title="Local bound by a random start and a Chebyshev recurrence",
    statement=r"Let $M$ be the Jacobian of the multi-head map at an input, and $W_0$, \dots, $W_k$ matrices with "
    r"$W_1 = M W_0 / \ell + F_0$ and $W_{j+1} = 2 M^\top W_j / \ell - W_{j-1} + F_j$, $M$ and $M^\top$ in turn. Then "
    "the Jacobian has at most this norm.",
    kind="upper",
    map="multi-head softmax",
    norm="l2",
    domain="point",
    hypotheses=(OVERLAP,),
    expr=bound(growth),
    source="new",
    examples=(
        Example(at={level: 2, growth: 1, inverse_degree: 1}, digits="4.0000000000000000000"),
        Example(at={level: 3, growth: 6, inverse_degree: 0.5}, digits="6.0000000000000000000"),
    ),
    near_misses=(
        NearMiss(claim=bound(growth, sp.S.Half), slip="counts a product with M and M^T as one, twice"),
        NearMiss(claim=bound(growth / 2), slip="takes T_k for half of what it is"),
    ),
)
