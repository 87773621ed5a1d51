"""L2 attention with tied queries and keys: the Gaussian kernel is positive definite, so its columns are lighter.

A row-normalised Gaussian kernel has no column sum above sqrt(n); that takes the published growth from the root of n to
its fourth root, up to logarithms.
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import inverse_root_k, n, norm_WQ, norm_WV
from ..theorem import Example, NearMiss, Theorem

w = sp.LambertW((n - 1) / sp.E)  # w e^(w+1) = n - 1
far = sp.log(n) / 2 + sp.exp(-1)  # a column sum of weights times squared distances, over the root of n
moving_keys = 2 * sp.sqrt(w * far)


def bound(stretch: sp.Expr = norm_WQ**2, own: sp.Expr = 2 * w, keys: sp.Expr = moving_keys) -> sp.Expr:
    return norm_WV * stretch * inverse_root_k * (own + n ** sp.Rational(1, 4) * (1 + keys))


THEOREM = Theorem(
    __name__,
    title="L2 attention on all inputs",
    statement="On all inputs of $n$ tokens, L2 attention with tied queries and keys has at most this "
    "Lipschitz constant.",
    kind="upper",
    map="l2 attention",
    norm="l2",
    domain="global",
    expr=bound(),
    source="new",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={n: 64, norm_WQ: 1, norm_WV: 1, inverse_root_k: 1}, digits="20.884459396913751742"),
        Example(at={n: 2, norm_WQ: 3, norm_WV: 2, inverse_root_k: 0.5}, digits="25.262992484712143496"),
    ),
    near_misses=(
        NearMiss(claim=bound(stretch=norm_WQ), slip="the norm of W_Q to half the power"),
        NearMiss(claim=bound(own=sp.Integer(0), keys=sp.Integer(0)), slip="weights do not move"),
        NearMiss(claim=bound(own=w / 2, keys=sp.Integer(0)), slip="weights do not move with the keys"),
    ),
)
