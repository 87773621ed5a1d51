"""A branch beside the identity."""

import sympy as sp

from ..notation import branch
from ..theorem import Example, NearMiss, Theorem

THEOREM = Theorem(
    __name__,
    title="Residual connection",
    statement="A map with a residual connection has at most this Lipschitz constant.",
    kind="upper",
    map="residual",
    norm="l2",
    domain="any",
    expr=1 + branch,
    source="new",
    examples=(Example(at={branch: 2.5}, digits="3.5"),),
    near_misses=(
        NearMiss(claim=branch, slip="the identity is forgotten"),
        NearMiss(claim=sp.Max(1, branch), slip="the larger branch in place of the sum"),
        NearMiss(claim=sp.sqrt(1 + branch**2), slip="adds squares of branches that are not orthogonal"),
    ),
)
