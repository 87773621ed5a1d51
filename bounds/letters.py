"""The letters of the maps: sizes, indices, inputs with their directions, and weights with their shapes.

Sizes and indices are integers; a symbol that is no integer is a number of the variant, such as a temperature. Letters
with a shape get their entries from outside; those that a formula defines have no shape.
"""

import sympy as sp

# sizes: tokens, tokens of the second input, coordinates of a token, of a head, of a hidden layer; heads, heads a group
n, m, d, k, D, H, G = sp.symbols("n m d k D H G", integer=True, positive=True)

# indices: tokens i, j, t; coordinates u (of the output), r, p, q, l; a head h, a group g of heads
i, j, t, u, r, p, q, l, h, g = INDICES = sp.symbols("i j t u r p q l h g", integer=True)


def letter(name: str, *shape: sp.Expr) -> sp.IndexedBase:
    """A letter with one index for each number of the shape; without a shape one that a formula defines."""
    return sp.IndexedBase(name, shape=shape or None, real=True)


def visible(condition: sp.Basic) -> sp.Expr:
    """1 where the condition on the indices holds, else 0."""
    return sp.Piecewise((1, condition), (0, True))


# tokens in rows and the direction in which each input moves
X, E = letter("X", n, d), letter("E", n, d)
Y, F = letter("Y", m, d), letter("F", m, d)
x, e = letter("x", d), letter("e", d)
