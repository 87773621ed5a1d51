"""Softmax of one vector of scores, and its derivative, given the scores' own."""

import sympy as sp

from .formula import Definition, Formula, Letter
from .letters import letter, q, r, summed, u

p = letter("p")


def softmax_of(score: Letter, size: sp.Expr, *where: Definition) -> Formula:
    """Entry u of the softmax of `score`."""
    total = summed(sp.exp(score[q]), q, size)
    return Formula(p[u], (*where, Definition(p[u], sp.exp(score[u]) / total)))


def softmax_of_moved(score_moved: Letter, size: sp.Expr, *where: Definition) -> Formula:
    """Entry u of (diag(p) - p p^T) times the move of the scores."""
    return Formula(p[u] * (score_moved[u] - summed(p[r] * score_moved[r], r, size)), where)
