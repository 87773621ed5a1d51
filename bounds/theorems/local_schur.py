"""At a point: the block Schur test with weights of our own choice.

For any w_ij > 0, Cauchy-Schwarz on row i gives |sum_j B_ij e_j|^2 <= lam_i sum_j w_ij |e_j|^2 with
lam_i = lambda_max(sum_j B_ij B_ij^T / w_ij); sum over i and exchange the sums. The diagonal block holds the covariance
term too, so nothing is lost to a triangle inequality. With w_ij = |B_ij| / q_j, q the right Perron vector of [|B_ij|],
the bound is at most the norm of that matrix.
"""

import sympy as sp

from ..notation import schur_column
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound by a weighted block Schur test",
    statement="At every input, softmax attention of any number of heads, with any mask or score bias, has a Jacobian of at "
    "most this norm.",
    kind="upper",
    attention="softmax",
    norm="l2",
    domain="point",
    expr=sp.sqrt(schur_column),
    source="new",
    examples=(Example(at={schur_column: 6.25}, digits="2.5"),),
    near_misses=(NearMiss(claim=schur_column ** sp.Rational(1, 4), slip="takes the root twice"),),
)
