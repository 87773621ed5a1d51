"""The methods that look at all heads of a layer together, its output projection included."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import cache

from .activations import Activations
from .attention_layer import Array, AttentionLayer, JacobianProducts
from .chebyshev.chance import Chance
from .chebyshev.perturbation import perturbed
from .chebyshev.recurrence import chebyshev
from .errors import NoEnclosure
from .gram.attention_map import AttentionMap
from .gram.deflation import deflate
from .gram.dense import dense
from .gram.joint_schur import joint_schur, seen_pairs
from .gram.rounded_rows import RoundedRows, rounded_rows
from .lower.lanczos import Witnessed
from .method import Enclosed, Tier
from .progress import Progress


def all_heads(
    layer: AttentionLayer,
    X: Array,
    tier: Tier,
    pool: Executor,
    progress: Progress,
    witnessed: Witnessed,
    chance: Chance | None = None,
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
        products = JacobianProducts(layer, X)
        return bound(AttentionMap(rows()), products, lambda f, tokens: list(pool.map(f, tokens))).enclosed()

    def random() -> Enclosed:
        if chance is None:
            raise NoEnclosure("no failure probability was given: no random bound")
        progress.step("all heads together: random start")
        return chebyshev(perturbed(activations), witnessed.bound.value, chance, 0, pool.map)

    if tier == "probable":
        return {"local-chebyshev": random}
    return {"local-schur": schur} if tier == "fast" else {"local-schur": schur, "local-deflation": gram}
