"""Softmax heads with linear scores: biases, masks and additive constants, shared keys and values, a second input.

With b_i = A x_i + a, A = scale K^T Q, a = scale K^T b^Q, weights P_ij, means m_i and covariances C_i, a head has

    (D f(X)[E])_i = V (C_i A e_i + sum_j P_ij (I + (x_j - m_i) b_i^T) e_j),

whatever additive constants the scores have; the output projection adds the heads up.
"""

from dataclasses import dataclass

import sympy as sp

from .formula import Definition, Formula
from .letters import E, F, H, X, Y, d, g, h, i, j, k, l, letter, m, n, p, r, summed, t, u
from .projections import USUAL_SCALE, projected
from .softmax_weights import softmax_weights

Index = tuple[sp.Expr, ...]


@dataclass(frozen=True, eq=False)
class Sharing:
    """Which index picks the queries of a head, which one its keys and values, and how many of each there are."""

    own: Index = ()
    shared: Index = ()
    heads: Index = ()
    groups: Index = ()

    def total(self, of_one_head: sp.Expr) -> sp.Expr:
        return summed(of_one_head, h, H) if self.own else of_one_head


ONE_HEAD = Sharing()


def softmax_attention(
    weight: sp.Expr = sp.S.One,
    scale: sp.Expr = USUAL_SCALE,
    sharing: Sharing = ONE_HEAD,
    second_input: bool = False,
) -> tuple[Formula, Formula]:
    """The map and its derivative in closed form, entry [i, u]: the heads' averages of the values, projected and added.

    `weight` multiplies exp(s_ij) and is a function of i and j, `scale` multiplies the scores. With a second input, keys
    and values come from Y, which moves along F.
    """
    tokens, direction, last = (Y, F, m) if second_input else (X, E, n)
    own, shared = sharing.own, sharing.shared
    Q, bQ = letter("Q", *sharing.heads, k, d), letter("b^Q", *sharing.heads, k)
    K, bK = letter("K", *sharing.groups, k, d), letter("b^K", *sharing.groups, k)
    V, bV = letter("V", *sharing.groups, k, d), letter("b^V", *sharing.groups, k)
    out, bO = letter("O", d, *sharing.heads, k), letter("b^O", d)
    query, key, v, s, P = (letter(name) for name in ("q", "kappa", "v", "s", "P"))

    # keys and values are written once for a group; head h reads its own
    group: Index = (g,) if sharing.groups else ()
    average = summed(P[(*own, i, j)] * v[(*shared, j, l)], j, last)
    the_map = Formula(
        sharing.total(summed(out[(u, *own, l)] * average, l, k)) + bO[u],
        (
            projected(query[(*own, i, l)], Q, X, bQ),
            projected(key[(*group, j, l)], K, tokens, bK),
            projected(v[(*group, j, l)], V, tokens, bV),
            Definition(s[(*own, i, j)], scale * summed(query[(*own, i, l)] * key[(*shared, j, l)], l, k)),
            softmax_weights(weight, last, s[(*own, i, j)], P[(*own, i, j)]),
        ),
    )

    A, b, mean, C, W = (letter(name) for name in ("A", "b", "mu", "C", "W"))
    centred = tokens[j, r] - mean[(*own, i, r)]
    from_query = summed(C[(*own, i, r, t)] * summed(A[(*own, t, p)] * E[i, p], p, d), t, d)
    along_b = summed(b[(*own, i, t)] * direction[j, t], t, d)
    from_keys = summed(P[(*own, i, j)] * (direction[j, r] + centred * along_b), j, last)
    seen_bias = scale * summed(K[(*shared, l, r)] * bQ[(*own, l)], l, k)
    closed_form = Formula(
        sharing.total(summed(W[(u, *own, r)] * (from_query + from_keys), r, d)),
        (
            Definition(A[(*own, r, t)], scale * summed(K[(*shared, l, r)] * Q[(*own, l, t)], l, k)),
            Definition(b[(*own, i, r)], summed(A[(*own, r, t)] * X[i, t], t, d) + seen_bias),
            Definition(mean[(*own, i, r)], summed(P[(*own, i, j)] * tokens[j, r], j, last)),
            Definition(C[(*own, i, r, t)], summed(P[(*own, i, j)] * centred * tokens[j, t], j, last)),
            Definition(W[(u, *own, r)], summed(out[(u, *own, l)] * V[(*shared, l, r)], l, k)),
        ),
    )
    return the_map, closed_form
