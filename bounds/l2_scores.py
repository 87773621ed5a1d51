"""Scores that are minus the squared distance of query and key, and how they move."""

from .formula import Definition, Letter
from .letters import i, j, k, l, summed
from .projections import USUAL_SCALE, dq, ds, query, s


def distances(key: Letter) -> Definition:
    """`s[i, j]`, minus the squared distance of `q[i]` and `key[j]`, scaled."""
    return Definition(s[i, j], -USUAL_SCALE * summed((query[i, l] - key[j, l]) ** 2, l, k))


def distances_moved(key: Letter, key_moved: Letter) -> Definition:
    """`ds[i, j]`, how they move."""
    apart = (query[i, l] - key[j, l]) * (dq[i, l] - key_moved[j, l])
    return Definition(ds[i, j], -2 * USUAL_SCALE * summed(apart, l, k))
