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


def bound(spread: sp.Expr, gradient: sp.Expr = norm_b, own_score: sp.Expr = norm_VG * norm_GA) -> sp.Expr:
    largest_weight = 1 / (1 + (n - 1) * sp.exp(-spread))
    row = norm_V**2 + d * gradient**2 * norm_VG**2
    return d * own_score + sp.sqrt(row) * sp.sqrt(n * largest_weight)


THEOREM = Theorem(
    __name__,
    title="Bound on the image of a LayerNorm",
    statement="Let $\\Gamma = \\operatorname{diag}(\\gamma)$ and $\\Pi = I - \\tfrac1d 1 1^\\top$. On inputs of $n$ "
    "tokens that a LayerNorm with weight $\\gamma$ and bias $\\beta$ can produce, one softmax head has at most this "
    "Lipschitz constant, and its Jacobian at most this norm.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="layernorm",
    expr=bound(spread=2 * s),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(
            at={n: 4, d: 4, norm_V: 1, norm_VG: 1, norm_GA: 0.25, norm_AG: 0.25, norm_GAG: 0.25, norm_c: 0, norm_Gc: 0},
            digits="3.3853462544923642342",
        ),
        Example(
            at={
                n: 16,
                d: 9,
                norm_V: 2,
                norm_VG: 1.5,
                norm_GA: 0.125,
                norm_AG: 0.125,
                norm_GAG: 0.0625,
                norm_c: 0.75,
                norm_Gc: 0.625,
            },
            digits="22.311486634782208089",
        ),
    ),
    near_misses=(
        NearMiss(claim=bound(spread=s), slip="half the spread of the scores"),
        NearMiss(
            claim=bound(spread=2 * s, gradient=sp.sqrt(d) * norm_AG), slip="drops the part of b_i that no token moves"
        ),
        NearMiss(claim=bound(spread=2 * d * norm_GAG), slip="drops the part of the scores that one token moves"),
        NearMiss(claim=bound(spread=2 * s, own_score=sp.Integer(0)), slip="the score of token i moves with x_i too"),
        NearMiss(claim=bound(spread=2 * s).subs(d, 1), slip="LayerNorm makes tokens of norm one"),
    ),
)
