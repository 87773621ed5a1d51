"""Softmax of one vector of scores, and its derivative, given the scores' own."""

import sympy as sp

from .formula import Definition, Formula
from .letters import letter, q, r, u

p = letter("p")


def softmax_of(score: sp.IndexedBase, size: sp.Expr, *where: Definition) -> Formula:
    """Entry u of the softmax of `score`."""
    total = sp.Sum(sp.exp(score[q]), (q, 1, size))
    return Formula(p[u], (*where, Definition(p[u], sp.exp(score[u]) / total)))


def softmax_of_moved(score_moved: sp.IndexedBase, size: sp.Expr, *where: Definition) -> Formula:
    """Entry u of (diag(p) - p p^T) times the move of the scores."""
    return Formula(p[u] * (score_moved[u] - sp.Sum(p[r] * score_moved[r], (r, 1, size))), where)
