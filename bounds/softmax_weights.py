"""Softmax over scores, and averages of values with their derivative: shared by every variant that averages."""

import sympy as sp

from .formula import Definition, Formula, Letter
from .letters import i, j, letter, n, summed, t, u
from .projections import ds, dv, s, value

P, y = letter("P"), letter("y")


def softmax_weights(
    weight: sp.Expr = sp.S.One, last: sp.Expr = n, score: sp.Indexed = s[i, j], left: sp.Indexed = P[i, j]
) -> Definition:
    """`left`, the softmax over j = 1..last of the scores, each exponential times `weight`, a function of i and j.

    `weight` is exp(c_ij) for an additive constant c_ij, and 0 where i does not see j.
    """
    raised = weight * sp.exp(score)
    return Definition(left, raised / summed(raised.subs(j, t), t, last))


def weighted(weights: Letter, values: Letter) -> sp.Expr:
    """Entry [i, u] of the sum of the values of all tokens with these weights."""
    return summed(weights[i, j] * values[j, u], j, n)


WEIGHTS = softmax_weights()
AVERAGE = weighted(P, value)


def average_moved(values: Letter = value, values_moved: Letter = dv) -> Formula:
    """How the softmax average moves, given `ds[i, j]` and how the values move.

    The weights sum to 1, so D P_ij = P_ij (ds_ij - sum_l P_il ds_il), and the last term centres the values.
    """
    centred = values[j, u] - y[i, u]
    moved = summed(P[i, j] * (ds[i, j] * centred + values_moved[j, u]), j, n)
    return Formula(moved, (Definition(y[i, u], weighted(P, values)),))
