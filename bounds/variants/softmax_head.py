"""A classifier's head: the softmax of W x + b."""

import sympy as sp

from ..formula import Definition, Letter
from ..letters import D, d, e, letter, q, r, summed, u, x
from ..softmax_of_vector import softmax_of, softmax_of_moved
from ..variant import Variant

W, b, s, ds = letter("W", D, d), letter("b", D), letter("s"), letter("ds")


def times_weight(vector: Letter) -> sp.Expr:
    return summed(W[q, r] * vector[r], r, d)


VARIANT = Variant(
    __name__,
    title="Softmax head",
    statement="A vector is sent to the softmax of $W x + b$.",
    map=softmax_of(s, D, Definition(s[q], times_weight(x) + b[q])),
    closed_form=softmax_of_moved(ds, D, Definition(ds[q], times_weight(e))),
    inputs={x: e},
    output={u: D},
)
