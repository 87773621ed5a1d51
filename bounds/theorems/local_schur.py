"""At a point: the block Schur test with weights of our own choice.

For any w_ij > 0, Cauchy-Schwarz on row i gives |sum_j B_ij e_j|^2 <= lam_i sum_j w_ij |e_j|^2 with
lam_i = lambda_max(sum_j B_ij B_ij^T / w_ij); sum over i and exchange the sums (a zero block may have weight zero and is
left out). The diagonal block holds the covariance term too, so nothing is lost to a triangle inequality. With
w_ij = |B_ij| / q_j, q the leading right singular vector of N = [|B_ij|], lam_i <= (N q)_i, so that column j sums to at
most (N^T N q)_j / q_j = |N|^2: the bound is at most the norm of that matrix.
"""

import sympy as sp

from ..notation import schur_column
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound by a weighted block Schur test",
    statement="At every input, one softmax head with any mask or score bias has a Jacobian of at most this norm.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="point",
    expr=sp.sqrt(schur_column),
    source="new",
    examples=(Example(at={schur_column: 6.25}, digits="2.5"),),
    near_misses=(
        NearMiss(claim=schur_column ** sp.Rational(1, 4), slip="takes the root twice"),
        NearMiss(claim=sp.sqrt(schur_column / 2), slip="splits the sum between rows and columns"),
    ),
)
