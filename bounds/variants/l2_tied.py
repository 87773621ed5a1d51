"""L2 attention with tied queries and keys, and values that pass through them (Kim, Papamakarios and Mnih 2021)."""

from ..formula import Definition, Formula, Letter
from ..l2_scores import distances, distances_moved
from ..letters import E, X, d, i, j, k, l, n, q, r, summed, u
from ..projections import USUAL_SCALE, Q, V, dq, dv, projected, query, value
from ..softmax_weights import AVERAGE, WEIGHTS, average_moved
from ..variant import Variant


def values(left: Letter, queries: Letter) -> Definition:
    """`left[j, u]`, coordinate u of V Q^T times query j, scaled."""
    back = summed(Q[q, r] * queries[j, q], q, k)
    return Definition(left[j, u], USUAL_SCALE * summed(V[u, r] * back, r, d))


moved = average_moved()

VARIANT = Variant(
    __name__,
    title="L2 attention, tied",
    statement=r"Softmax attention whose scores are minus the squared distances of the two tokens' queries, and whose "
    r"values are $V Q^\top Q x_j / \sqrt k$.",
    map=Formula(AVERAGE, (projected(query[i, l], Q, X), distances(query), WEIGHTS, values(value, query))),
    closed_form=Formula(
        moved.value, (projected(dq[i, l], Q, E), distances_moved(query, dq), values(dv, dq), *moved.where)
    ),
    inputs={X: E},
    output={i: n, u: k},
    note="Lipschitz on all inputs, since keys are queries.",
)
