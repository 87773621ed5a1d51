"""At a point: the score term by the triangle inequality, the rest by Cauchy-Schwarz with the attention weights.

Row i of the Jacobian is V C_i A e_i + sum_j P_ij V M_ij e_j with M_ij = I + (x_j - m_i) b_i^T. Since
sum_j P_ij (x_j - m_i) = 0 the cross terms of sum_j P_ij V M_ij M_ij^T V^T vanish and leave V (I + |b_i|^2 C_i) V^T.
"""

import sympy as sp

from ..notation import covariance_term, weighted_column
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound by covariances",
    statement="At every input, one softmax head with any mask or score bias has a Jacobian of at most this norm.",
    kind="upper",
    map="softmax",
    norm="l2",
    domain="point",
    expr=covariance_term + sp.sqrt(weighted_column),
    source="new",
    examples=(Example(at={covariance_term: 1.5, weighted_column: 6.25}, digits="4.0"),),
    near_misses=(
        NearMiss(claim=sp.sqrt(weighted_column), slip="the score of token i moves with x_i too"),
        NearMiss(
            claim=sp.sqrt(covariance_term**2 + weighted_column), slip="adds squares of terms that are not orthogonal"
        ),
        NearMiss(claim=sp.Max(covariance_term, sp.sqrt(weighted_column)), slip="the larger term in place of the sum"),
    ),
)
