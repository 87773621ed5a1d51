"""Weights that are a function of one score each: how a row moves, and the sum over rows without any averaging."""

from typing import Any

import sympy as sp

from .facts import CAUCHY_SCHWARZ, SUBMULTIPLICATIVE, TRACE
from .row import SIZES, A, E, V, X, a, b, e, tokens, x
from .steps import Fact, Identity, Step

_t = sp.Symbol("t", real=True)
_w = sp.Function("w")


def _moved(weight: Any) -> Any:
    """sum_j weight(s_j) V x_j with every token moved by t times its change, differentiated at t = 0."""
    Y = X + _t * E
    row = A * Y.row(0).T + a
    total: Any = sum((weight(row.dot(Y.row(j).T)) * V * Y.row(j).T for j in tokens), sp.zeros(2, 1))
    return total.diff(_t).subs(_t, 0)


def row_moves(weight: Any, slope: Any, said: str) -> Identity:
    """The derivative of a row, for weights `weight(s)` of derivative `slope(s)`, both rational in symbols."""
    s = [b.dot(x[j]) for j in tokens]
    own = sum((slope(s[j]) * x[j] * x[j].T for j in tokens), sp.zeros(2, 2))
    keys = sum(((slope(s[j]) * x[j] * b.T + weight(s[j]) * sp.eye(2)) * e[j] for j in tokens), sp.zeros(2, 1))
    return Identity(said, lhs=_moved(weight), rhs=V * own * A * e[0] + V * keys, sizes=SIZES)


SECOND_MOMENT: tuple[Step, ...] = (
    Fact(
        r"$|\sum_j x_j x_j^\top| \le \sum_j |x_j|^2 \le n R^2$.",
        TRACE,
        letters={"S": r"$\sum_j x_j x_j^\top$, of trace $\sum_j |x_j|^2$"},
        because={"positive semidefinite": "a sum of squares"},
    ),
    Fact(
        r"$|b_i| \le R \|A\| + \|a\|$, so that $|x_j b_i^\top| \le \beta$ and $|\langle b_i, x_j\rangle| \le \beta$.",
        SUBMULTIPLICATIVE,
        letters={"S": "$A$, or $x_j$ as a column", "T": r"$x_i$, or $b_i^\top$"},
    ),
)


def all_rows(block: str) -> Fact:
    """From a bound of every block to one of the matrix of n by n blocks."""
    return Fact(
        rf"If no block $B_{{ij}}$ exceeds {block}, then $|\sum_j B_{{ij}} e_j|^2 \le n \sum_j |B_{{ij}} e_j|^2$ for "
        rf"each of the $n$ rows: all together have at most the norm $n$ times {block}.",
        CAUCHY_SCHWARZ,
        letters={"x": r"$(|B_{ij} e_j|)_j$", "y": "$(1, \\dots, 1)$"},
    )
