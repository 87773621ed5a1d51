"""Bounds of the attention with its residual connection and normalisation as one map."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from threadpoolctl import threadpool_limits

from .attention_layer import Array
from .certificate import StoredTensor
from .derivation import derive
from .errors import InputError, ModelError
from .gram.deflation import deflate
from .gram.dense import dense, require_dense
from .gram.sublayer_map import sublayer_map
from .layer_certificate import LayerCertificate
from .loaded_layer import LoadedLayer
from .lower.lanczos import witness_of
from .memory import require_memory
from .method import Enclosed, Tier
from .progress import Progress
from .race import Raced
from .sublayer.enclosed import EnclosedSublayer
from .sublayer.norm_of import norm_of
from .sublayer.sublayer import Kind, Sublayer, SublayerProducts

THEOREM = "sublayer-deflation"
TIERS: Sequence[Tier] = ("tight", "exact")


def sublayer_of(loaded: LoadedLayer, kind: Kind, norm: Any = None) -> Sublayer:
    """The block of that kind around a loaded attention, with the given norm or the model's own.

    Raises ModelError where the model has no norm of its own, or is of another kind, and none is given.
    """
    if norm is not None:
        return Sublayer(loaded.attention, kind, norm_of(norm))
    if kind == "residual" or loaded.block is None or kind == loaded.block:
        return Sublayer(loaded.attention, kind, None if kind == "residual" else loaded.block_norm)
    raise ModelError(f"{loaded.name} is built {loaded.block}: ask for that block, or give the norm of a {kind} block")


def certify_sublayer(
    loaded: LoadedLayer, sublayer: Sublayer, X: Array, tier: Tier, progress: Progress
) -> LayerCertificate:
    """The certificate of a sublayer at exact tokens X (n, d), whose only map is the sublayer.

    `upper` is proved for the spectral norm of its Jacobian L (I + J R) at X. Every rounding error has its place: those
    of the attention and of the statistics of the norm are in the balls around them, the midpoints of which make another
    map, exactly; how far that is from the true one is the theorem's `distance`, and the rounding of its Gram blocks is
    in `deflated_norm`.

    Raises InputError for a tier that does not speak of sublayers, or one that is asked for more than it takes.
    """
    started = time.perf_counter()
    if tier not in TIERS:
        raise InputError(f"the tier {tier} does not speak of blocks: take the tier {' or '.join(TIERS)}")
    if tier == "exact":
        require_dense(sublayer.attention, len(X))
    else:
        require_memory(sublayer.attention, len(X), progress, sublayer.kind)
    raced = _race(sublayer, X, tier, progress)
    sources = {**sublayer.attention.sources, **(sublayer.norm.sources if sublayer.norm is not None else {})}
    return LayerCertificate(
        about={
            "model": loaded.name,
            "layer": loaded.layer,
            "head": None,
            "heads": sublayer.attention.heads,
            "n": X.shape[0],
            "d": X.shape[1],
            "block": sublayer.kind,
        },
        layer=sublayer.attention,
        X=X,
        heads=(),
        whole=raced,
        weights={
            role: StoredTensor(source.tensor, source.dtype, source.shape, source.sha256)
            for role, source in sources.items()
        },
        seconds=time.perf_counter() - started,
        around=sublayer.around,
    )


def _race(sublayer: Sublayer, X: Array, tier: Tier, progress: Progress) -> Raced:
    with threadpool_limits(limits=1), ThreadPoolExecutor(os.cpu_count()) as pool:
        enclosed, products = EnclosedSublayer(sublayer, X), SublayerProducts(sublayer, X)
        try:
            progress.step(f"{sublayer.kind} block: witness")
            found = witness_of(products, enclosed.jvp)
            progress.step(f"{sublayer.kind} block: {'deflation' if tier == 'tight' else 'dense Gram matrix'}")
            derived = derive(THEOREM, "point", sublayer, lambda: enclose(enclosed, tier, pool))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Raced(None, (derived,), found, whole="sublayer")


def enclose(enclosed: EnclosedSublayer, tier: Tier, pool: ThreadPoolExecutor) -> Enclosed:
    """The theorem's symbols; heads and tokens are shared out over `pool`.

    Raises NoEnclosure where anything overflows, or a token's variance plus eps may be 0.
    """
    bound = deflate if tier == "tight" else dense
    J, products = sublayer_map(enclosed, pool.map), SublayerProducts(enclosed.sublayer, enclosed.X)
    return bound(J, products, lambda f, tokens: list(pool.map(f, tokens))).enclosed()
