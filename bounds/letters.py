"""The letters of the maps: sizes, indices, inputs with their directions, and weights with their shapes.

Sizes and indices are integers; a symbol that is no integer is a number of the variant, such as a temperature. Letters
with a shape get their entries from outside; those that a formula defines have no shape.
"""

from typing import Any

import sympy as sp

from .formula import Letter

# sizes: tokens, tokens of the second input, coordinates of a token, of a head, of a hidden layer; heads, heads a group
n, m, d, k, D, H, G = sp.symbols("n m d k D H G", integer=True, positive=True)

# indices: tokens i, j, t; coordinates u (of the output), r, p, q, l; a head h, a group g of heads
i, j, t, u, r, p, q, l, h, g = INDICES = sp.symbols("i j t u r p q l h g", integer=True)  # noqa: E741


def letter(name: str, *shape: sp.Expr, **sign: bool) -> Letter:
    """A letter with one index for each number of the shape; without a shape one that a formula defines.

    `sign` is nonnegative=True where the variant is defined for such entries only.
    """
    assumptions: Any = {"real": True, **sign}
    made: Any = Letter(name, shape=shape or None, **assumptions)
    return made


def summed(term: sp.Expr, index: sp.Symbol, last: sp.Expr) -> sp.Expr:
    """The sum of the term over index = 1..last."""
    total: Any = sp.Sum(term, (index, 1, last))
    return total


def cases(*pairs: tuple[sp.Expr | int, sp.Basic | bool]) -> sp.Expr:
    """The expression of the first pair whose condition on the indices holds."""
    chosen: Any = sp.Piecewise(*pairs)
    return chosen


def visible(condition: sp.Basic) -> sp.Expr:
    """1 where the condition on the indices holds, else 0."""
    return cases((1, condition), (0, True))


# tokens in rows and the direction in which each input moves
X, E = letter("X", n, d), letter("E", n, d)
Y, F = letter("Y", m, d), letter("F", m, d)
x, e = letter("x", d), letter("e", d)
