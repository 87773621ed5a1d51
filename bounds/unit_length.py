"""Division of a vector by its smoothed length, and how the quotient moves: normalised tokens, queries and keys."""

import sympy as sp

from .formula import Definition, Letter
from .letters import i, letter, summed, u

epsilon = sp.Symbol("epsilon", real=True)


def unit(name: str, raw: Letter, size: sp.Expr, share: sp.Expr = sp.S.One) -> tuple[Definition, Definition]:
    """`N^name[i] = (share |raw_i|^2 + epsilon)^(1/2)`, and `hat name[i, u] = raw[i, u] / N^name[i]`."""
    squares = summed(raw[i, u] ** 2, u, size)
    length = Definition(letter(f"N^{name}")[i], sp.sqrt(share * squares + epsilon))
    return length, Definition(letter(rf"\hat{{{name}}}")[i, u], raw[i, u] / length.left)


def unit_moved(name: str, raw_moved: Letter, size: sp.Expr, share: sp.Expr = sp.S.One) -> tuple[Definition, Definition]:
    """`c^name[i] = share <hat name_i, raw_moved_i>`, and `d hat name[i, u]`: the move without its part along raw."""
    length, hat = letter(f"N^{name}")[i], letter(rf"\hat{{{name}}}")
    along = Definition(letter(f"c^{name}")[i], share * summed(hat[i, u] * raw_moved[i, u], u, size))
    moved = (raw_moved[i, u] - hat[i, u] * along.left) / length
    return along, Definition(letter(rf"d\hat{{{name}}}")[i, u], moved)
