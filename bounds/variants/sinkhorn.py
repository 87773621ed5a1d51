"""Sinkhorn attention: rows and columns are normalised in turn, T times in all (Sander et al. 2022).

The derivative carries the logarithmic derivatives along: normalising a row subtracts their mean under its new weights.
"""

import sympy as sp

from ..formula import Definition, Formula
from ..letters import E, X, i, j, k, letter, n, t, u
from ..letters import h as step
from ..projections import KEYS, QUERIES, SCORES, SCORES_MOVED, VALUES, VALUES_MOVED, ds, dv, s, value
from ..variant import Variant

T = sp.Symbol("T", integer=True, positive=True)
P, L = letter("P"), letter("L")
odd = sp.Eq(sp.Mod(step, 2), 1)


def in_turn(start: sp.Expr, rows: sp.Expr, columns: sp.Expr) -> sp.Expr:
    return sp.Piecewise((start, sp.Eq(step, 0)), (rows, odd), (columns, True))


before, moved_before = P[step - 1, i, j], L[step - 1, i, j]
weights = in_turn(
    sp.exp(s[i, j]),
    before / sp.Sum(before.subs(j, t), (t, 1, n)),
    before / sp.Sum(before.subs(i, t), (t, 1, n)),
)
weights_moved = in_turn(
    ds[i, j],
    moved_before - sp.Sum(P[step, i, t] * moved_before.subs(j, t), (t, 1, n)),
    moved_before - sp.Sum(P[step, t, j] * moved_before.subs(i, t), (t, 1, n)),
)
moved = P[T, i, j] * (L[T, i, j] * value[j, u] + dv[j, u])

VARIANT = Variant(
    __name__,
    title="Sinkhorn attention",
    statement="The weights are the exponentials of the scores after $T$ normalisations, of rows and of columns in turn.",
    map=Formula(
        sp.Sum(P[T, i, j] * value[j, u], (j, 1, n)),
        (QUERIES, KEYS, SCORES, Definition(P[step, i, j], weights), VALUES),
    ),
    closed_form=Formula(
        sp.Sum(moved, (j, 1, n)), (*SCORES_MOVED, Definition(L[step, i, j], weights_moved), VALUES_MOVED)
    ),
    inputs={X: E},
    output={i: n, u: k},
    note=r"$L_{h,i,j}$ is the derivative of $\log P_{h,i,j}$.",
)
