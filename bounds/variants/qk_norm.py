"""QK-norm: queries and keys are divided by their root mean square and scaled before they meet (as in Qwen3)."""

import sympy as sp

from ..formula import Definition, Formula
from ..letters import E, X, i, j, k, l, letter, n, summed, u
from ..projections import (
    USUAL_SCALE,
    VALUES,
    VALUES_MOVED,
    K,
    Q,
    dkey,
    dq,
    ds,
    key,
    projected,
    query,
    s,
)
from ..softmax_weights import AVERAGE, WEIGHTS, average_moved
from ..unit_length import unit, unit_moved
from ..variant import Variant

gain_q, gain_k = letter("g^Q", k), letter("g^K", k)
q_hat, key_hat = letter(r"\hat{q}"), letter(r"\hat{kappa}")
dq_hat, dkey_hat = letter(r"d\hat{q}"), letter(r"d\hat{kappa}")
both_moved = dq_hat[i, l] * key_hat[j, l] + q_hat[i, l] * dkey_hat[j, l]
moved = average_moved()


def scored(products: sp.Expr) -> sp.Expr:
    return USUAL_SCALE * summed(gain_q[l] * gain_k[l] * products, l, k)


VARIANT = Variant(
    __name__,
    title="Attention with QK-norm",
    statement="Softmax attention whose queries and keys are divided by their root mean squares and scaled.",
    map=Formula(
        AVERAGE,
        (
            projected(query[i, l], Q, X),
            projected(key[i, l], K, X),
            *unit("q", query, k, 1 / k),
            *unit("kappa", key, k, 1 / k),
            Definition(s[i, j], scored(q_hat[i, l] * key_hat[j, l])),
            WEIGHTS,
            VALUES,
        ),
    ),
    closed_form=Formula(
        moved.value,
        (
            projected(dq[i, l], Q, E),
            projected(dkey[i, l], K, E),
            *unit_moved("q", dq, k, 1 / k),
            *unit_moved("kappa", dkey, k, 1 / k),
            Definition(ds[i, j], scored(both_moved)),
            VALUES_MOVED,
            *moved.where,
        ),
    ),
    inputs={X: E},
    output={i: n, u: k},
    hypotheses=(r"$\epsilon > 0$, or no query and no key is 0",),
)
