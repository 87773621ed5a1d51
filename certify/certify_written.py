"""Bounds of maps whose Jacobian is written out as one matrix: rotary self-attention, and cross-attention."""

import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from .attention_layer import Array, TensorSource
from .certificate import StoredTensor
from .certify_sublayer import TIERS, sublayer_of
from .derivation import derive
from .errors import InputError
from .explicit.attention_pair import AttentionPair
from .explicit.explicit_map import ExplicitMap
from .explicit.pair_of import pair_of
from .explicit.rotary import Rotary
from .explicit.written_out import Inputs, Written, WrittenOut, cross_attention_map, self_attention_map
from .gram.deflation import deflate
from .gram.dense import dense
from .input_array import as_array
from .layer_certificate import LayerCertificate
from .loaded_layer import LoadedLayer
from .lower.lanczos import Witnessed
from .method import Tier
from .progress import SILENT, Progress
from .race import Raced
from .sublayer.sublayer import Kind

THEOREM = "written-out-deflation"


def certify_rotary(
    loaded: LoadedLayer, rotary: Rotary, X: Array, kind: Kind | None, norm: Any, tier: Tier, progress: Progress
) -> LayerCertificate:
    """Self-attention whose queries and keys are rotated, at exact tokens X (n, d), alone or as a block of that `kind`.

    `upper` is proved for the spectral norm of the Jacobian in X of the map that `rotary.statement` names. The rounding
    of activations, statistics and rotations is in the `distance` of the matrix written out, that of its Gram blocks in
    `deflated_norm`.

    Raises InputError for too many tokens, or a tier that does not speak of written-out maps.
    """
    pair = AttentionPair.of_layer(loaded.attention, rotary)
    pair.check(X, X)
    around = None if kind is None else sublayer_of(loaded, kind, norm).around
    after = None if around is None else around.norm
    about = {
        "model": loaded.name,
        "layer": loaded.layer,
        "head": None,
        "heads": pair.heads,
        "n": X.shape[0],
        "d": X.shape[1],
        **({} if kind is None else {"block": kind}),
    }
    words = "rotary self-attention"
    sources = {**loaded.attention.sources, **({} if after is None else after.sources)}
    certificate = _certified(
        words,
        about,
        loaded.attention,
        X,
        lambda: self_attention_map(pair, X, kind, after),
        X.shape,
        tier,
        progress,
        sources,
    )
    return certificate(around=around, written=Written(rotary))


def cross(
    attention: Any,
    x: Any,
    y: Any,
    *,
    inputs: Inputs = "pair",
    tier: Tier = "tight",
    progress: Progress = SILENT,
) -> LayerCertificate:
    """Bounds how much cross-attention can amplify a small change of exact inputs, with proof.

    Arguments:
        attention: a torch.nn.MultiheadAttention (x is its query, y its key and value), or an `AttentionPair`.
        x, y: the tokens that ask (n, d), and those that are looked at (m, d_y); arrays or tensors.
        inputs: what moves: "x", "y", or the "pair", whose change is measured by all its entries together.
        tier: "tight" by deflation, "exact" by a dense proof; both write the Jacobian out.
    Guarantees: `upper` is proved for the spectral norm of the Jacobian at (x, y), rounding included; `lower` is a
        witness there.
    Raises ModelError or InputError for what cannot be certified, naming it and the mend; NoEnclosure where a number
        overflows.
    """
    name, pair, sources = pair_of(attention)
    X, Y = _exact("x", x), _exact("y", y)
    pair.check(X, Y)
    about = {"model": name, "layer": None, "head": None, "heads": pair.heads, "n": X.shape[0], "d": X.shape[1]}
    shape = {"x": X.shape, "y": Y.shape, "pair": (1, X.size + Y.size)}.get(inputs, X.shape)
    certificate = _certified(
        "cross-attention",
        about,
        pair,
        X,
        lambda: cross_attention_map(pair, X, Y, inputs),
        shape,
        tier,
        progress,
        sources,
    )
    return certificate(written=Written(pair.rotary, inputs, Y))


def _exact(name: str, tokens: Any) -> Array:
    """The tokens as float64. Raises InputError for a type that does not convert exactly."""
    values = as_array(tokens)
    if values.dtype not in (np.float16, np.float32, np.float64):
        raise InputError(f"{name} has dtype {values.dtype}: give float16, float32 or float64")
    return values.astype(np.float64)


def _certified(
    words: str,
    about: Mapping[str, Any],
    layer: Any,
    X: Array,
    jacobian: Callable[[], ExplicitMap],
    shape: tuple[int, ...],
    tier: Tier,
    progress: Progress,
    sources: Mapping[str, TensorSource],
) -> Callable[..., LayerCertificate]:
    """All of the certificate but what says which map it is; `shape` is that of a direction."""
    started = time.perf_counter()
    if tier not in TIERS:
        raise InputError(f"the tier {tier} does not speak of {words}: take the tier {' or '.join(TIERS)}")
    with threadpool_limits(limits=1), ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            progress.step(f"{words}: the Jacobian")
            J = jacobian()
            progress.step(f"{words}: witness")
            found = J.witness()
            progress.step(f"{words}: {'deflation' if tier == 'tight' else 'dense Gram matrix'}")
            bound = deflate if tier == "tight" else dense
            derived = derive(
                THEOREM, "point", WrittenOut(words), lambda: bound(J, J, lambda f, i: list(pool.map(f, i))).enclosed()
            )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    witnessed = Witnessed(found.direction.reshape(shape), found.bound)
    whole = Raced(None, (derived,), witnessed, whole="written-out")
    weights = {role: StoredTensor(s.tensor, s.dtype, s.shape, s.sha256) for role, s in sources.items()}

    def certificate(**which: Any) -> LayerCertificate:
        seconds = time.perf_counter() - started
        return LayerCertificate(
            about=about, layer=layer, X=X, heads=(), whole=whole, weights=weights, seconds=seconds, **which
        )

    return certificate
