"""Heads whose Jacobian is known in closed form: each value is a lower bound of L(n, rho), whatever the parameters.

Tokens stand in a few places, those at one place move alike, and |Df(X)[E]|_F / |E|_F is written down from
(Df[E])_i = C_i A e_i + sum_j P_ij (e_j + (x_j - m_i) <A x_i, e_j>) with V = 1. The tests compare both families with
that formula, token by token.
"""

from typing import Any

import sympy as sp

odds, gap, inverse_rho = sp.symbols("odds gap inverse_rho", real=True)
x_rest, y_rest, x_moved, y_moved, turn = sp.symbols("x_rest y_rest x_moved y_moved turn", real=True)
score_rest, score_moved = sp.symbols("score_rest score_moved", real=True)
others, cosine, rho = sp.symbols("others cosine rho", real=True)


def _score(x: sp.Symbol, y: sp.Symbol, x_other: sp.Symbol, y_other: sp.Symbol) -> Any:
    cos: Any = gap * inverse_rho / 2
    sin = sp.sqrt(sp.Max(0, 1 - cos**2))  # rounding may take the difference below 0
    return cos * (x_other - 3 * x) + sin * (y_other - y + 2 * turn * y)


SCORES = {
    score_rest: _score(x_rest, y_rest, x_moved, y_moved),
    score_moved: _score(x_moved, y_moved, x_rest, y_rest),
}
"""How the scores move in a row at the rest and in a row at the moved place, over rho: parts of TWO_PLACES."""


def _square(weight: Any, score: sp.Symbol, own: tuple[sp.Symbol, sp.Symbol], other: tuple[sp.Symbol, sp.Symbol]) -> Any:
    (x, y), (x_other, y_other) = own, other
    along = inverse_rho * (x + weight * (x_other - x)) + 2 * weight * (1 - weight) * score
    return along**2 + (inverse_rho * (y + weight * (y_other - y))) ** 2


def _two_places() -> Any:
    rest, moved = (x_rest, y_rest), (x_moved, y_moved)
    of_rest = _square(1 / (1 + odds * sp.exp(-gap)), score_rest, rest, moved)
    of_moved = _square(1 / (1 + sp.exp(-gap) / odds), score_moved, moved, rest)
    return (odds * of_rest + of_moved) / (odds * (x_rest**2 + y_rest**2) + x_moved**2 + y_moved**2)


TWO_PLACES: Any = _two_places()
"""(L(n, rho) / rho)^2 is at least this, with SCORES put in, for k tokens at e_1, `odds` times as many at -e_1 and a
`gap` in [-2 rho, 2 rho].

A = rho (-u, w) with u = (cos, sin), cos = gap / (2 rho), and w = (sin, -cos) for turn = 1, a rotation, or (-sin, cos)
for turn = -1, a reflection. A row at one place puts `weight` on the other, which it prefers by `gap` (or by -gap, where
the row stands at e_1: then A x_i is -u, and so the weight is 1 / (1 + e^(-gap) / odds) again). With x, y the moves of
a row's own place: C_i A e_i = 4 weight (1 - weight) rho e_1 <A^T e_1 / rho, e_i> and A^T e_1 / rho = (-cos, turn sin).
"""

TWO_PLACES_ALONG_ODDS: Any = sp.diff(TWO_PLACES, odds)

_weight: Any = 1 / (2 / sp.sqrt(others) + sp.sqrt(others) * sp.exp(-rho * (1 + cosine)))
OPPOSITE_MOVES = sp.sqrt(2) * sp.sqrt(1 - cosine**2) * _weight
"""L(others + 2, rho) / rho is at least this: A = -rho, `others` tokens at -e_1, one each at (cosine, +-sine).

The two move in opposite directions along e_1; a row at -e_1 puts p on each of them, and moves by 2 p rho sine along e_2
for |E| = sqrt(2); the rows of the two are left out. It grows with rho, and on a range of `others` it is least at an
end: 2 / s + s exp(-rho (1 + cosine)) is convex in s.
"""
