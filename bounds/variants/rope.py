"""Rotary positions: position i turns each pair of coordinates of queries and keys by i theta_p (Su et al. 2021).

The derivative turns by the difference of positions only; with turned keys their bias no longer drops out.
"""

import sympy as sp

from ..formula import Definition, Formula, Letter
from ..letters import E, X, d, i, j, k, l, letter, n, p, summed, u
from ..projections import VALUES, VALUES_MOVED, dkey, dq, ds, key, projected, query, s
from ..softmax_weights import AVERAGE, WEIGHTS, average_moved
from ..variant import Variant

pairs = sp.Symbol("c", integer=True, positive=True)
angle = letter("theta", pairs)
Q, K = letter("Q", 2 * pairs, d), letter("K", 2 * pairs, d)
bQ, bK = letter("b^Q", 2 * pairs), letter("b^K", 2 * pairs)


def turned(raw: Letter, token: sp.Symbol, first: Letter, second: Letter) -> list[Definition]:
    """The two coordinates of each pair of `raw[token]`, turned by its position."""
    cos, sin = sp.cos(token * angle[p]), sp.sin(token * angle[p])
    odd, even = raw[token, 2 * p - 1], raw[token, 2 * p]
    return [Definition(first[token, p], cos * odd - sin * even), Definition(second[token, p], sin * odd + cos * even)]


def turned_by_difference(left: Letter, right: Letter) -> sp.Expr:
    """The product of `left[i]` and `right[j]`, turned by i - j against each other, pair p."""
    a, b, c, e = left[i, 2 * p - 1], left[i, 2 * p], right[j, 2 * p - 1], right[j, 2 * p]
    between = (i - j) * angle[p]
    return sp.cos(between) * (a * c + b * e) + sp.sin(between) * (a * e - b * c)


q_odd, q_even, k_odd, k_even = (letter(name) for name in ("q'", "q''", "kappa'", "kappa''"))
scale = 1 / sp.sqrt(2 * pairs)
in_pairs = q_odd[i, p] * k_odd[j, p] + q_even[i, p] * k_even[j, p]
both_moved = turned_by_difference(dq, key) + turned_by_difference(query, dkey)
moved = average_moved()

VARIANT = Variant(
    __name__,
    title="Rotary attention",
    statement=r"Softmax attention whose queries and keys are turned by their position, pair $p$ of coordinates by "
    r"$i \theta_p$; $c$ is the number of pairs.",
    map=Formula(
        AVERAGE,
        (
            projected(query[i, l], Q, X, bQ),
            projected(key[j, l], K, X, bK),
            *turned(query, i, q_odd, q_even),
            *turned(key, j, k_odd, k_even),
            Definition(s[i, j], scale * summed(in_pairs, p, pairs)),
            WEIGHTS,
            VALUES,
        ),
    ),
    closed_form=Formula(
        moved.value,
        (
            projected(dq[i, l], Q, E),
            projected(dkey[j, l], K, E),
            Definition(ds[i, j], scale * summed(both_moved, p, pairs)),
            VALUES_MOVED,
            *moved.where,
        ),
    ),
    inputs={X: E},
    output={i: n, u: k},
    note="The derivative depends on differences of positions only. The bias of the keys does not drop out.",
)
