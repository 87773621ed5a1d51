"""L2 attention with queries and keys of their own."""

from ..formula import Formula
from ..l2_scores import distances, distances_moved
from ..letters import E, X, i, k, n, u
from ..projections import (
    KEYS,
    KEYS_MOVED,
    QUERIES,
    QUERIES_MOVED,
    VALUES,
    VALUES_MOVED,
    dkey,
    key,
)
from ..softmax_weights import AVERAGE, WEIGHTS, average_moved
from ..variant import Variant

moved = average_moved()

VARIANT = Variant(
    __name__,
    title="L2 attention, untied",
    statement="Softmax attention whose scores are minus the squared distances of queries and keys.",
    map=Formula(AVERAGE, (QUERIES, KEYS, distances(key), WEIGHTS, VALUES)),
    closed_form=Formula(
        moved.value, (QUERIES_MOVED, KEYS_MOVED, distances_moved(key, dkey), VALUES_MOVED, *moved.where)
    ),
    inputs={X: E},
    output={i: n, u: k},
    note="In general not Lipschitz on all inputs: queries and keys have to be tied for that.",
)
