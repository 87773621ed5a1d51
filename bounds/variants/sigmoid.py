"""Sigmoid attention: every weight by itself, with an offset of the scores such as -log n (Ramapuram et al. 2025)."""

import sympy as sp

from ..formula import Definition, Formula
from ..letters import E, X, i, j, k, n, summed, u
from ..projections import KEYS, QUERIES, SCORES, SCORES_MOVED, VALUES, VALUES_MOVED, ds, dv, s, value
from ..scalar_functions import sigmoid
from ..softmax_weights import AVERAGE, P
from ..variant import Variant

offset = sp.Symbol("c", real=True)
moved = P[i, j] * (ds[i, j] * (1 - P[i, j]) * value[j, u] + dv[j, u])

VARIANT = Variant(
    __name__,
    title="Sigmoid attention",
    statement=r"Every token is sent to the sum of the values, each times the sigmoid of its score plus $c$.",
    map=Formula(AVERAGE, (QUERIES, KEYS, SCORES, Definition(P[i, j], sigmoid(s[i, j] + offset)), VALUES)),
    closed_form=Formula(summed(moved, j, n), (*SCORES_MOVED, VALUES_MOVED)),
    inputs={X: E},
    output={i: n, u: k},
    note="No weight depends on another score, so the values are not centred.",
)
