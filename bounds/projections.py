"""Queries, keys and values, scores, and how each moves: the pieces that the variants share."""

import sympy as sp

from .formula import Definition, Letter
from .letters import E, X, d, i, j, k, l, letter, r, summed

Q, K, V = (letter(name, k, d) for name in ("Q", "K", "V"))
bQ, bK, bV = (letter(f"b^{name}", k) for name in ("Q", "K", "V"))
query, key, value, s = (letter(name) for name in ("q", "kappa", "v", "s"))
dq, dkey, dv, ds = (letter(name) for name in ("dq", "dkappa", "dv", "ds"))
USUAL_SCALE = 1 / sp.sqrt(k)


def projected(left: sp.Indexed, weight: Letter, tokens: Letter, bias: Letter | None = None) -> Definition:
    """`left`, whose last two indices are token and coordinate, as that coordinate of weight times token plus bias."""
    *lead, token, coordinate = left.indices
    linear = summed(weight[(*lead, coordinate, r)] * tokens[token, r], r, d)
    return Definition(left, linear if bias is None else linear + bias[(*lead, coordinate)])


QUERIES = projected(query[i, l], Q, X, bQ)
KEYS = projected(key[j, l], K, X, bK)
VALUES = projected(value[j, l], V, X, bV)
QUERIES_MOVED = projected(dq[i, l], Q, E)
KEYS_MOVED = projected(dkey[j, l], K, E)
VALUES_MOVED = projected(dv[j, l], V, E)


def products(left: Letter, scale: sp.Expr, first: Letter, second: Letter) -> Definition:
    """`left[i, j] = scale <first_i, second_j>` in k coordinates."""
    return Definition(left[i, j], scale * summed(first[i, l] * second[j, l], l, k))


def products_moved(
    scale: sp.Expr,
    first: Letter,
    second: Letter,
    first_moved: Letter,
    second_moved: Letter,
) -> Definition:
    """`ds[i, j]`, how those products move."""
    both = first_moved[i, l] * second[j, l] + first[i, l] * second_moved[j, l]
    return Definition(ds[i, j], scale * summed(both, l, k))


# scores of queries and keys as softmax attention has them
SCORES = products(s, USUAL_SCALE, query, key)
SCORES_MOVED = (QUERIES_MOVED, KEYS_MOVED, products_moved(USUAL_SCALE, query, key, dq, dkey))
