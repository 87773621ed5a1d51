"""The methods that look at all heads of a layer together, its output projection included."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import cache

from .activations import Activations
from .attention_layer import Array, AttentionLayer
from .gram.deflation import deflate
from .gram.dense import dense
from .gram.joint_schur import joint_schur, seen_pairs
from .gram.rounded_rows import RoundedRows, rounded_rows
from .method import Enclosed, Tier
from .progress import Progress


def all_heads(
    layer: AttentionLayer, X: Array, tier: Tier, pool: Executor, progress: Progress
) -> Mapping[str, Callable[[], Enclosed]]:
    """Theorem by theorem what encloses its symbols for the whole map at X (n, d); tokens are shared out over `pool`."""
    activations = Activations(layer, X)

    @cache
    def rows() -> RoundedRows:
        return rounded_rows(activations, pool.map)

    def schur() -> Enclosed:
        progress.step("all heads together: closed form")
        seen = seen_pairs(layer.visible(len(X)), len(X))
        return joint_schur(rows(), seen, lambda f, tokens: list(pool.map(f, tokens)))

    def gram() -> Enclosed:
        progress.step(f"all heads together: {'deflation' if tier == 'tight' else 'dense Gram matrix'}")
        bound = deflate if tier == "tight" else dense
        return bound(rows(), activations, lambda f, tokens: list(pool.map(f, tokens))).enclosed()

    return {"local-schur": schur} if tier == "fast" else {"local-schur": schur, "local-deflation": gram}
