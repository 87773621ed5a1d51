"""Does a theorem speak about this layer? Every name in `bounds.hypotheses` has its check here."""

from collections.abc import Callable, Mapping

import numpy as np

from bounds.theorem import Theorem

from .attention_layer import AttentionLayer
from .explicit.written_out import WrittenOut
from .sublayer.sublayer import Sublayer


def is_causal(layer: AttentionLayer) -> bool:
    """Whether every head adds 0 to the scores of a token's own past and present, and hides the rest."""
    bias = layer.score_bias
    return bias is not None and bool((bias == np.where(np.tri(bias.shape[-1], dtype=bool), 0.0, -np.inf)).all())


def is_mask_only(layer: AttentionLayer) -> bool:
    """Whether every constant of the scores is 0 or -inf, with a 0 in every row."""
    bias = layer.score_bias
    return bias is None or bool(((bias == 0) | np.isneginf(bias)).all() and (bias == 0).any(axis=-1).all())


MAPS = ("softmax", "multi-head softmax")  # the theorems' maps that an `AttentionLayer` is
SUBLAYER = "attention sublayer"  # and the one that a `Sublayer` is
ANY = "differentiable map"  # what a `WrittenOut` map is known to be, and no more

CHECKS: Mapping[str, Callable[[AttentionLayer], bool]] = {
    "unmasked": lambda layer: layer.score_bias is None,
    "causal": is_causal,
    "finite-constants": lambda layer: layer.score_bias is None or bool(np.isfinite(layer.score_bias).all()),
    "mask-only": is_mask_only,
    "no-query-bias": lambda layer: not layer.query_bias.any(),
    "positive-scores": lambda layer: np.array_equal(layer.query_weight, layer.key_weight),  # A = K^T K; others: unknown
    "unit-rms": lambda layer: False,  # of queries, keys and values, which a layer does not bound
    "output-projection": lambda layer: layer.output_weight is not None,
    "overlap": lambda layer: True,  # of no layer, but of our random numbers: `derive` calls the bound probable
}


def unmet(theorem: Theorem, layer: AttentionLayer | Sublayer | WrittenOut) -> str | None:
    """Why the theorem does not speak about this layer; None when every hypothesis was checked and holds.

    A hypothesis that has no check here counts as unmet; so does another map, or another norm than the spectral one.
    """
    maps, what = MAPS, "an attention layer"
    if isinstance(layer, Sublayer):
        maps, what = (SUBLAYER,), "an attention sublayer"
    elif isinstance(layer, WrittenOut):
        maps, what = (ANY,), layer.words
    if theorem.map not in maps:
        return f"{theorem.id} does not apply: it speaks of the map {theorem.map!r}, not of {what}"
    if theorem.norm != "l2":
        return f"{theorem.id} does not apply: it speaks of the {theorem.norm} norm, certificates of l2"
    for hypothesis in theorem.hypotheses:
        check = CHECKS.get(hypothesis.name)
        if check is None or isinstance(layer, (Sublayer, WrittenOut)):
            return f"{theorem.id} needs {hypothesis.name}, which cannot be checked here"
        if not check(layer):
            return f"{theorem.id} does not apply: it needs that {hypothesis.text}"
    return None
