"""The main job: a model's attention layer and an input in, a certificate out."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from threadpoolctl import threadpool_limits

from .activations import Activations
from .all_heads import all_heads
from .attention_layer import Array
from .certificate import StoredTensor
from .certify_sublayer import certify_sublayer, sublayer_of
from .certify_written import certify_rotary
from .chebyshev.chance import DEFAULT_FAILURE, Chance, fresh_seed
from .errors import InputError
from .explicit.rotary import Rotary
from .gram.dense import require_dense
from .input_array import as_array
from .layer_certificate import LayerCertificate
from .loaded_layer import LoadedLayer, check_head
from .loaders import load
from .lower.lanczos import witness
from .memory import require_memory
from .method import Tier
from .progress import SILENT, Progress
from .race import Raced, race_head, race_layer
from .sublayer.sublayer import Kind
from .texts import alice

DEFAULT_TOKENS = 64


def certify_layer(
    model: Any,
    x: Any = None,
    *,
    layer: int | None = None,
    head: int | None = None,
    text: str | None = None,
    tokens: int | None = None,
    tier: Tier = "tight",
    block: Kind | None = None,
    norm: Any = None,
    rotary: Rotary | None = None,
    failure: float | None = None,
    seed: int | None = None,
    progress: Progress = SILENT,
) -> LayerCertificate:
    """Bounds how much one attention layer can amplify a small change of one exact input, with proof.

    Arguments:
        model: a folder or file, the name of an installed demo model, or a module (torch.nn.MultiheadAttention, BERT).
        x: the input of the layer, an array or tensor of shape (n, d); its values themselves are the point. Without it
            the hidden states that enter the layer for the first `tokens` tokens of `text` (by default 64 of the shipped
            one) are taken.
        layer: which layer of the model, counted from 0 (default 0; a module has only itself).
        tier: "fast" takes closed forms only; "tight" also deflation, which proves the norm itself to many digits;
            "exact" a dense proof in its place, slow, for n d up to 16 000; "probable" a random start in its place,
            which bounds the norm within about 1.5 % for inputs too long for the others.
        block: the attention f together with what stands around it, as one map: "residual" is x + f(x), "post-norm"
            norm(x + f(x)), "pre-norm" x + f(norm(x)). The tiers are tight and exact; x is what enters the block.
        norm: of the block: a torch.nn.LayerNorm or RMSNorm, or a TokenNorm. By default the model's own.
        rotary: the rotary positions of queries and keys, `certify.Rotary.stored(cos, sin)` or `.of_angles(...)`: which
            of the two maps is meant is told in the certificate. By default the model's own. The tiers are tight and
            exact, and the Jacobian is written out, at most 16 000^2 entries.
        failure: in the tier "probable", how likely each such bound may be wrong (default 1e-12).
        seed: of its random numbers; a fresh one is drawn by default and told in the JSON. A bound from a seed that was
            chosen among several, or known to whoever chose the input, is no longer probable.
        head: one head alone, before the output projection; otherwise every head and the whole map.
    Guarantees: `upper` is proved for the spectral norm of the Jacobian at x (l2 to l2), rounding included, or in the
        tier "probable" holds with the stated probability; `lower` is a witness at x; `global_upper` is proved as a
        Lipschitz constant on the image of the LayerNorm before the layer. With `block` all is about the block,
        whose derivative in x it bounds, the statistics of the norm included; no global bound is given then.
    Raises ModelError or InputError for what cannot be certified, naming it and the mend; InputError, with the figures,
        where the tight tier needs more memory than there is, or the exact tier is asked for more than it takes.
    """
    started = time.perf_counter()
    chance = _chance(tier, failure, seed)
    loaded = load(model, layer)
    _check_block(block, norm, head, rotary)
    if head is not None:
        check_head(loaded, head)
    X = loaded.attention.check_tokens(as_array(x)) if x is not None else _hidden_states(loaded, text, tokens)
    loaded = loaded.masked(len(X))
    if rotary is None and loaded.rotary is not None:
        rotary = loaded.rotary(len(X))
        _check_block(block, norm, head, rotary)
    if rotary is not None:
        return certify_rotary(loaded, rotary, X, block, norm, tier, progress)
    if block is not None:
        return certify_sublayer(loaded, sublayer_of(loaded, block, norm), X, tier, progress)
    if tier == "exact":
        require_dense(loaded.attention, X.shape[0])
    if tier == "tight":
        require_memory(loaded.attention, X.shape[0], progress)
    heads, whole = _race(loaded, X, head, tier, chance, progress)
    return LayerCertificate(
        about={
            "model": loaded.name,
            "layer": loaded.layer,
            "head": head,
            "heads": loaded.attention.heads,
            "n": X.shape[0],
            "d": X.shape[1],
        },
        layer=loaded.attention,
        X=X,
        heads=heads,
        whole=heads[0] if whole is None else whole,
        weights={
            name: StoredTensor(source.tensor, source.dtype, source.shape, source.sha256)
            for name, source in {**loaded.attention.sources, **loaded.norm_sources}.items()
        },
        seconds=time.perf_counter() - started,
        chance=chance,
    )


def _race(
    loaded: LoadedLayer, X: Array, head: int | None, tier: Tier, chance: Chance | None, progress: Progress
) -> tuple[list[Raced], Raced | None]:
    """Heads side by side on the cores, one BLAS thread each: faster for small matrices, and bit for bit repeatable."""
    layer, image = loaded.attention, loaded.norm_image
    indices = range(layer.heads) if head is None else [head]
    with threadpool_limits(limits=1), ThreadPoolExecutor(os.cpu_count()) as pool:
        whole = pool.submit(witness, Activations(layer, X)) if head is None else None
        futures = [pool.submit(race_head, layer, index, X, image, tier, chance) for index in indices]
        try:
            heads = []
            for index, future in zip(indices, futures, strict=True):
                heads.append(future.result())
                progress.step(f"head {index} of {layer.heads}")
            if whole is None:
                return heads, None
            found = whole.result()
            jointly = all_heads(layer, X, tier, pool, progress, found, chance)
            return heads, race_layer(layer, heads, found, jointly)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _check_block(block: Kind | None, norm: Any, head: int | None, rotary: Rotary | None) -> None:
    """Raises InputError for a norm without a block, or a head of one, or of a map that is written out."""
    if rotary is not None and head is not None:
        raise InputError(f"head {head} alone is not bounded with rotary positions: leave out the head")
    if block is None and norm is not None:
        raise InputError("a norm was given, but no block that it belongs to: say block='post-norm' or 'pre-norm'")
    if block is not None and head is not None:
        raise InputError(f"head {head} alone has no residual connection: leave out the head or the block")


def _chance(tier: Tier, failure: float | None, seed: int | None) -> Chance | None:
    """The random numbers of the tier that draws some. Raises InputError where another one is given their settings."""
    if tier == "probable":
        return Chance(DEFAULT_FAILURE if failure is None else failure, fresh_seed() if seed is None else seed)
    for name, value in (("failure", failure), ("seed", seed)):
        if value is not None:
            raise InputError(f"{name} is {value}, but the tier {tier} draws no random numbers: take the tier probable")
    return None


def _hidden_states(loaded: LoadedLayer, text: str | None, tokens: int | None) -> Array:
    """The rows that enter the layer for a text. Raises InputError for a model that cannot read one."""
    if loaded.hidden_states is None:
        raise InputError(f"{loaded.name} cannot read a text: give the layer's input as an array (n, d)")
    return loaded.hidden_states(alice() if text is None else text, DEFAULT_TOKENS if tokens is None else tokens)
