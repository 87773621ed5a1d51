"""Is a theorem's hypothesis true of this layer? Every name in `bounds.hypotheses` has its check here."""

from collections.abc import Callable, Mapping

from bounds.theorem import Theorem

from .attention_layer import AttentionLayer

CHECKS: Mapping[str, Callable[[AttentionLayer], bool]] = {
    "unmasked": lambda layer: layer.score_bias is None,
    "output-projection": lambda layer: layer.output_weight is not None,
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
