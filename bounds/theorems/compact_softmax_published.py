"""On a ball: the published bound that grows like sqrt(n), with the query bias carried through its proof.

|(D f)_i|^2 <= 3 |V|^2 (|sum_j P_ij e_j|^2 + |C_i A e_i|^2 + |sum_j P_ij (x_j - m_i) <b_i, e_j>|^2); summed over i the three
terms are at most n, rho^2 and 4 n beta^2 times |E|^2, since |x_j - m_i| <= 2R and R |b_i| <= beta. With a = 0 this is the
printed sqrt(3) |V| (|A|^2 R^4 (4n + 1) + n)^(1/2).
"""

import sympy as sp

from ..hypotheses import UNMASKED
from ..notation import R, beta, n, norm_A, norm_a, norm_V, rho
from ..theorem import Example, NearMiss, Theorem


def bound(slope):
    return sp.sqrt(3) * norm_V * sp.sqrt(rho**2 + 4 * n * slope**2 + n)


THEOREM = Theorem(
    __name__,
    title="Published compact bound for softmax attention",
    statement="On inputs of $n$ tokens of norm at most $R$, one softmax head has at most this Lipschitz constant.",
    kind="upper",
    attention="softmax",
    norm="l2",
    domain="ball",
    expr=bound(beta),
    source="castin2024",
    hypotheses=(UNMASKED,),
    examples=(Example(at={n: 64, R: 1, norm_A: 1, norm_a: 0, norm_V: 1}, digits="31.0"),),
    near_misses=(NearMiss(claim=bound(rho), slip="the query bias is dropped"),),
)
