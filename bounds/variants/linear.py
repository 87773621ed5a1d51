"""Linear attention: the scores themselves are the weights, divided by the number of tokens."""

from ..formula import Formula
from ..letters import E, X, i, j, k, n, summed, u
from ..projections import KEYS, QUERIES, SCORES, SCORES_MOVED, VALUES, VALUES_MOVED, ds, dv, s, value
from ..softmax_weights import weighted
from ..variant import Variant

VARIANT = Variant(
    __name__,
    title="Linear attention",
    statement="Every token is sent to the mean over the tokens of score times value.",
    map=Formula(weighted(s, value) / n, (QUERIES, KEYS, SCORES, VALUES)),
    closed_form=Formula(summed(ds[i, j] * value[j, u] + s[i, j] * dv[j, u], j, n) / n, (*SCORES_MOVED, VALUES_MOVED)),
    inputs={X: E},
    output={i: n, u: k},
    note="Cubic in the input, so not Lipschitz on all inputs.",
)
