"""Sinkhorn attention: rows and columns are normalised in turn, T times in all (Sander et al. 2022).

The derivative carries the logarithmic derivatives along: normalising a row subtracts their mean under its new weights.
"""

import sympy as sp

from ..formula import Definition, Formula
from ..letters import E, X, cases, i, j, k, letter, n, summed, t, u
from ..letters import h as step
from ..projections import KEYS, QUERIES, SCORES, SCORES_MOVED, VALUES, VALUES_MOVED, ds, dv, s, value
from ..variant import Variant

T = sp.Symbol("T", integer=True, positive=True)
P, L = letter("P"), letter("L")
odd = sp.Eq(sp.Mod(step, 2), 1)


def in_turn(start: sp.Expr, rows: sp.Expr, columns: sp.Expr) -> sp.Expr:
    return cases((start, sp.Eq(step, 0)), (rows, odd), (columns, True))


before, moved_before = P[step - 1, i, j], L[step - 1, i, j]
weights = in_turn(
    sp.exp(s[i, j]),
    before / summed(before.subs(j, t), t, n),
    before / summed(before.subs(i, t), t, n),
)
weights_moved = in_turn(
    ds[i, j],
    moved_before - summed(P[step, i, t] * moved_before.subs(j, t), t, n),
    moved_before - summed(P[step, t, j] * moved_before.subs(i, t), t, n),
)
moved = P[T, i, j] * (L[T, i, j] * value[j, u] + dv[j, u])

VARIANT = Variant(
    __name__,
    title="Sinkhorn attention",
    statement="The weights are the exponentials of the scores after $T$ normalisations, rows and columns in turn.",
    map=Formula(
        summed(P[T, i, j] * value[j, u], j, n),
        (QUERIES, KEYS, SCORES, Definition(P[step, i, j], weights), VALUES),
    ),
    closed_form=Formula(summed(moved, j, n), (*SCORES_MOVED, Definition(L[step, i, j], weights_moved), VALUES_MOVED)),
    inputs={X: E},
    output={i: n, u: k},
    note=r"$L_{h,i,j}$ is the derivative of $\log P_{h,i,j}$.",
)
