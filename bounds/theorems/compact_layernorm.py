"""On everything that a LayerNorm can produce: an ellipsoid, met with gamma on both sides of A.

The tokens are x = Gamma z + beta with z in the ball |z| <= sqrt(d), 1^T z = 0, which is convex. Their covariances are
C_i = Gamma C^z_i Gamma with |C^z_i| <= d; a row's scores differ by <Pi Gamma b_i, z_j - z_l>, at most 2 s; and
|b_i| <= sqrt(d) |A Gamma Pi| + |A beta + a|. The rest is the proof of the compact bound. No eps enters: the image of a
LayerNorm lies in the ellipsoid for every eps >= 0.
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import d, n, norm_AG, norm_c, norm_GA, norm_GAG, norm_Gc, norm_V, norm_VG
from ..theorem import Example, NearMiss, Theorem

s = sp.sqrt(d) * (sp.sqrt(d) * norm_GAG + norm_Gc)
norm_b = sp.sqrt(d) * norm_AG + norm_c


def bound(spread, gradient=norm_b):
    largest_weight = 1 / (1 + (n - 1) * sp.exp(-spread))
    row = norm_V**2 + d * gradient**2 * norm_VG**2
    return d * norm_VG * norm_GA + sp.sqrt(row) * sp.sqrt(n * largest_weight)


THEOREM = Theorem(
    __name__,
    title="Bound on the image of a LayerNorm",
    statement="On inputs of $n$ tokens that a LayerNorm with weight $\\gamma$ and bias $\\beta$ can produce, one softmax head "
    "has at most this Lipschitz constant.",
    kind="upper",
    attention="softmax",
    norm="l2",
    domain="layernorm",
    expr=bound(spread=2 * s),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(
            at={n: 4, d: 4, norm_V: 1, norm_VG: 1, norm_GA: 0.25, norm_AG: 0.25, norm_GAG: 0.25, norm_c: 0, norm_Gc: 0},
            digits="3.385346",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=s), slip="half the spread of the scores"),
        NearMiss(claim=bound(spread=2 * s, gradient=sp.sqrt(d) * norm_AG), slip="drops the part of b_i that no token moves"),
    ),
)
