"""A classifier's head: the softmax of W x + b."""

import sympy as sp

from ..formula import Definition
from ..letters import D, d, e, letter, q, r, u, x
from ..softmax_of_vector import softmax_of, softmax_of_moved
from ..variant import Variant

W, b, s, ds = letter("W", D, d), letter("b", D), letter("s"), letter("ds")


def times_weight(vector: sp.IndexedBase) -> sp.Expr:
    return sp.Sum(W[q, r] * vector[r], (r, 1, d))


VARIANT = Variant(
    __name__,
    title="Softmax head",
    statement="A vector is sent to the softmax of $W x + b$.",
    map=softmax_of(s, D, Definition(s[q], times_weight(x) + b[q])),
    closed_form=softmax_of_moved(ds, D, Definition(ds[q], times_weight(e))),
    inputs={x: e},
    output={u: D},
)
