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


def crossed(left: Letter, right: Letter) -> tuple[sp.Expr, sp.Expr]:
    """Cosine and sine part of the product of `left[i]` and `right[j]`, pair p."""
    a, b, c, e = left[i, 2 * p - 1], left[i, 2 * p], right[j, 2 * p - 1], right[j, 2 * p]
    return a * c + b * e, a * e - b * c


q_odd, q_even, k_odd, k_even = (letter(name) for name in ("q'", "q''", "kappa'", "kappa''"))
scale = 1 / sp.sqrt(2 * pairs)
in_pairs = q_odd[i, p] * k_odd[j, p] + q_even[i, p] * k_even[j, p]
# the pairs turn by the difference of the positions against each other
(cos_dq, sin_dq), (cos_dkey, sin_dkey) = crossed(dq, key), crossed(query, dkey)
with_cos, with_sin = letter("alpha")[i, j, p], letter("beta")[i, j, p]
between = (i - j) * angle[p]
in_pairs_moved = sp.cos(between) * with_cos + sp.sin(between) * with_sin
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
            Definition(with_cos, cos_dq + cos_dkey),
            Definition(with_sin, sin_dq + sin_dkey),
            Definition(ds[i, j], scale * summed(in_pairs_moved, p, pairs)),
            VALUES_MOVED,
            *moved.where,
        ),
    ),
    inputs={X: E},
    output={i: n, u: k},
    note="The derivative depends on differences of positions only. The bias of the keys does not drop out.",
)
