"""One row of one softmax head, written out for three tokens of size two: the letters that several proofs share.

Everything in these identities is linear in the sum over the tokens, and token and size enter symmetrically, so that
three tokens of size two show every kind of term.
"""

from typing import Any

import sympy as sp

Matrix = Any  # SymPy's types do not say what the entries and sums of matrices are

SIZES = "n = 3 tokens of size d = 2, every entry a symbol"


def _matrix(name: str, rows: int, columns: int) -> Matrix:
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}_{i + 1}{j + 1}", real=True))


def _vector(name: str, size: int) -> Matrix:
    return sp.Matrix([sp.Symbol(f"{name}_{i + 1}", real=True) for i in range(size)])


tokens = range(3)
X = _matrix("x", 3, 2)  # token j is row j
E = _matrix("e", 3, 2)  # its change
A = _matrix("A", 2, 2)
V = _matrix("V", 2, 2)
a = _vector("a", 2)
scores: Matrix = _vector("s", 3)
changes = _vector("t", 3)  # of the scores

x = [X.row(j).T for j in tokens]
e = [E.row(j).T for j in tokens]

# weights of a row: two are free, and the three sum to one
_p1, _p2 = sp.symbols("p_1 p_2", positive=True)
p = (_p1, _p2, 1 - _p1 - _p2)


def average(terms: list[Matrix]) -> Matrix:
    """sum_j p_j terms_j."""
    return sum((weight * term for weight, term in zip(p, terms, strict=True)), sp.zeros(*terms[0].shape))


m = average(x)
C = average([(y - m) * (y - m).T for y in x])
b = A * x[0] + a  # the score gradient of the first token
M = [sp.eye(2) + (y - m) * b.T for y in x]

softmax = scores.applyfunc(sp.exp) / sum(sp.exp(s) for s in scores)
