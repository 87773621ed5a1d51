"""At a point, measured by the longest token: row by row, so that no column of P is summed."""

import sympy as sp

from ..notation import covariance_term, row_term
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Local bound for the longest token",
    statement="At every input, one softmax head with any mask or score bias has a Jacobian of at most this norm.",
    kind="upper",
    map="softmax",
    norm="max-token",
    domain="point",
    expr=covariance_term + sp.sqrt(row_term),
    source="new",
    examples=(Example(at={covariance_term: 1.5, row_term: 6.25}, digits="4.0"),),
    near_misses=(
        NearMiss(claim=sp.sqrt(row_term), slip="the score of token i moves with x_i too"),
        NearMiss(claim=sp.sqrt(covariance_term**2 + row_term), slip="adds squares of terms that are not orthogonal"),
        NearMiss(claim=sp.Max(covariance_term, sp.sqrt(row_term)), slip="the larger term in place of the sum"),
    ),
)
