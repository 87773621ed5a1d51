"""Cosine attention: queries, keys and values are divided by their smoothed length (LipsFormer, Qi et al. 2023)."""

import sympy as sp

from ..formula import Formula
from ..letters import E, X, i, k, l, letter, n, u
from ..projections import K, Q, V, dkey, dq, dv, key, products, products_moved, projected, query, s, value
from ..softmax_weights import WEIGHTS, average_moved, weighted
from ..unit_length import unit, unit_moved
from ..variant import Variant

sharpness, gain = sp.symbols("tau nu", real=True)
hats = tuple(letter(rf"\hat{{{name}}}") for name in ("q", "kappa", "v"))
moved_hats = tuple(letter(rf"d\hat{{{name}}}") for name in ("q", "kappa", "v"))
(q_hat, key_hat, v_hat), (dq_hat, dkey_hat, dv_hat) = hats, moved_hats
raw = ((query, dq, Q), (key, dkey, K), (value, dv, V))
names = ("q", "kappa", "v")
moved = average_moved(v_hat, dv_hat)

VARIANT = Variant(
    __name__,
    title="Cosine attention",
    statement=r"Softmax attention of queries, keys and values $W x / (|W x|^2 + \epsilon)^{1/2}$; scores times $\tau$, "
    r"averages times $\nu$.",
    map=Formula(
        gain * weighted(WEIGHTS.letter, v_hat),
        (
            *(projected(name[i, l], weight, X) for name, _, weight in raw),
            *(line for name, (of, _, _) in zip(names, raw, strict=True) for line in unit(name, of, k)),
            products(s, sharpness, q_hat, key_hat),
            WEIGHTS,
        ),
    ),
    closed_form=Formula(
        gain * moved.value,
        (
            *(projected(moved_name[i, l], weight, E) for _, moved_name, weight in raw),
            *(line for name, (_, of, _) in zip(names, raw, strict=True) for line in unit_moved(name, of, k)),
            products_moved(sharpness, q_hat, key_hat, dq_hat, dkey_hat),
            *moved.where,
        ),
    ),
    inputs={X: E},
    output={i: n, u: k},
    hypotheses=(r"$\epsilon > 0$, or no projected token is 0",),
)
