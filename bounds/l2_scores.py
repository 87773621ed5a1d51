"""Scores that are minus the squared distance of query and key, and how they move."""

import sympy as sp

from .formula import Definition
from .letters import i, j, k, l
from .projections import USUAL_SCALE, dq, ds, query, s


def distances(key: sp.IndexedBase) -> Definition:
    """`s[i, j]`, minus the squared distance of `q[i]` and `key[j]`, scaled."""
    return Definition(s[i, j], -USUAL_SCALE * sp.Sum((query[i, l] - key[j, l]) ** 2, (l, 1, k)))


def distances_moved(key: sp.IndexedBase, key_moved: sp.IndexedBase) -> Definition:
    """`ds[i, j]`, how they move."""
    apart = (query[i, l] - key[j, l]) * (dq[i, l] - key_moved[j, l])
    return Definition(ds[i, j], -2 * USUAL_SCALE * sp.Sum(apart, (l, 1, k)))
