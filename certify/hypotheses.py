"""Is a theorem's hypothesis true of this layer? Every name in `bounds.hypotheses` has its check here."""

from collections.abc import Callable, Mapping

import numpy as np

from bounds.theorem import Theorem

from .attention_layer import AttentionLayer


def is_causal(layer: AttentionLayer) -> bool:
    """Whether every head adds 0 to the scores of a token's own past and present, and hides the rest."""
    bias = layer.score_bias
    return bias is not None and bool((bias == np.where(np.tri(bias.shape[-1], dtype=bool), 0.0, -np.inf)).all())


CHECKS: Mapping[str, Callable[[AttentionLayer], bool]] = {
    "unmasked": lambda layer: layer.score_bias is None,
    "causal": is_causal,
    "output-projection": lambda layer: layer.output_weight is not None,
    "overlap": lambda layer: True,  # of no layer, but of our random numbers: `derive` calls the bound probable
}


def unmet(theorem: Theorem, layer: AttentionLayer) -> str | None:
    """Why the theorem does not speak about this layer; None when every hypothesis was checked and holds.

    A hypothesis that has no check here counts as unmet.
    """
    for hypothesis in theorem.hypotheses:
        check = CHECKS.get(hypothesis.name)
        if check is None:
            return f"{theorem.id} needs {hypothesis.name}, which cannot be checked here"
        if not check(layer):
            return f"{theorem.id} does not apply: it needs that {hypothesis.text}"
    return None
