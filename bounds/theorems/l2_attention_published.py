"""L2 attention with tied queries and keys, as published: global, and the root of n times a logarithm.

In print the norms of W_Q stand squared under the root of a sum over heads; a single head shows that the fourth power
is meant, since both W_V and W_Q^T W_Q stand in front of every difference.
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import inverse_root_k, n, norm_WQ, norm_WV
from ..theorem import Example, NearMiss, Theorem

w = sp.LambertW((n - 1) / sp.E)  # w e^(w+1) = n - 1


def bound(stretch: sp.Expr = norm_WQ**2, moving: sp.Expr = 4 * w) -> sp.Expr:
    return norm_WV * stretch * inverse_root_k * sp.sqrt(n) * (moving + 1)


THEOREM = Theorem(
    __name__,
    title="L2 attention on all inputs, as published",
    statement="On all inputs of $n$ tokens, L2 attention with tied queries and keys has at most this "
    "Lipschitz constant.",
    kind="upper",
    map="l2 attention",
    norm="l2",
    domain="global",
    expr=bound(),
    source="kim2021",
    hypotheses=(UNMASKED,),
    examples=(
        Example(at={n: 64, norm_WQ: 1, norm_WV: 1, inverse_root_k: 1}, digits="81.828168897185534781"),
        Example(at={n: 2, norm_WQ: 3, norm_WV: 2, inverse_root_k: 0.5}, digits="26.905022049816251680"),
    ),
    near_misses=(
        NearMiss(claim=bound(stretch=norm_WQ), slip="the norm of W_Q to half the power"),
        NearMiss(claim=bound(moving=sp.Integer(0)) / sp.sqrt(n), slip="weights do not move, and columns average"),
        NearMiss(claim=bound(moving=w) / sp.sqrt(n), slip="columns average, and a score moves by a fourth"),
    ),
)
