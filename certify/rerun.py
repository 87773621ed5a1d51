"""Runs again what the independent checker has to take as given: deflation, from the stored input and the model's file.

It is the same code that wrote the certificate, so this is no independent proof; but nothing of the certificate is
trusted besides its input, whose bytes the checker has compared, and a claim that was lowered is found.
"""

import base64
import os
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from .activations import Activations
from .attention_layer import Array, AttentionLayer, JacobianProducts
from .certify_sublayer import THEOREM as SUBLAYER
from .certify_sublayer import enclose, sublayer_of
from .derivation import derive
from .errors import CertificateError
from .gram.attention_map import AttentionMap
from .gram.deflation import deflate
from .gram.rounded_rows import rounded_rows
from .loaded_layer import LoadedLayer
from .loaders import load
from .method import Enclosed
from .outcome import Bound, NoBound
from .sublayer.enclosed import EnclosedSublayer
from .sublayer.sublayer import Sublayer

THEOREM = "local-deflation"


def rerun(certificate: Mapping[str, Any], model: str) -> int:
    """How many deflation steps were found again, each at most its claim.

    Raises CertificateError for a layer whose tensors are not the certificate's, or a step that is not confirmed;
    ModelError where the model cannot be loaded.
    """
    steps = [step for step in certificate["proof"]["steps"] if step["theorem"] in (THEOREM, SUBLAYER)]
    if not steps:
        return 0
    loaded = load(model, certificate["object"]["layer"])
    sublayer = _sublayer(certificate, loaded)
    layer = _layer(certificate, loaded, sublayer)
    X = _stored_input(certificate)
    with threadpool_limits(limits=1), ThreadPoolExecutor(os.cpu_count()) as pool:  # as the certificate was made
        for step in steps:
            if step["theorem"] == SUBLAYER:
                _confirm_sublayer(sublayer, X, step, pool)
            else:
                _confirm(layer if step["head"] is None else layer.head(step["head"]), X, step, pool)
    return len(steps)


def _sublayer(certificate: Mapping[str, Any], loaded: LoadedLayer) -> Sublayer | None:
    """The block that the certificate is about, with the model's own norm, which must be the certificate's."""
    around = certificate["proof"]["geometry"].get("around")
    if around is None:
        return None
    sublayer = sublayer_of(loaded, around["kind"])
    norm = sublayer.norm
    own = (None, None) if norm is None else ("layernorm" if norm.centred else "rmsnorm", norm.eps.hex())
    if (around["norm"], around["eps"]) != own:
        raise CertificateError(f"the norm of {loaded.name} is not the one that the certificate is about")
    return sublayer


def _layer(certificate: Mapping[str, Any], loaded: LoadedLayer, sublayer: Sublayer | None) -> AttentionLayer:
    stored = certificate["proof"]["weights"]
    norm = None if sublayer is None else sublayer.norm
    for role, source in {**loaded.attention.sources, **({} if norm is None else norm.sources)}.items():
        if stored.get(role, {}).get("sha256") != source.sha256:
            raise CertificateError(f"{role} of {loaded.name} is not the tensor that the certificate is about")
    return loaded.attention


def _stored_input(certificate: Mapping[str, Any]) -> Array:
    stored = certificate["proof"]["input"]
    values = np.frombuffer(base64.b64decode(stored["base64"]), dtype=stored["dtype"])
    return values.reshape(stored["shape"]).astype(np.float64)


def _confirm(layer: AttentionLayer, X: Array, step: Mapping[str, Any], pool: Executor) -> None:

    def enclosed() -> Enclosed:
        J, products = AttentionMap(rounded_rows(Activations(layer, X))), JacobianProducts(layer, X)
        return deflate(J, products, lambda f, tokens: list(pool.map(f, tokens))).enclosed()

    _compare(step, derive(THEOREM, "point", layer, enclosed).bound)


def _confirm_sublayer(sublayer: Sublayer | None, X: Array, step: Mapping[str, Any], pool: ThreadPoolExecutor) -> None:
    if sublayer is None:
        raise CertificateError(f"{step['id']} is about a block, but the certificate does not say about which")
    enclosed = EnclosedSublayer(sublayer, X)
    _compare(step, derive(SUBLAYER, "point", sublayer, lambda: enclose(enclosed, "tight", pool)).bound)


def _compare(step: Mapping[str, Any], bound: Bound | NoBound) -> None:
    if isinstance(bound, NoBound):
        raise CertificateError(f"{step['id']} was run again and gives no bound: {bound.reason}")
    claim = float.fromhex(step["claim"])
    if not bound.value <= claim:
        raise CertificateError(f"{step['id']} claims {claim}, run again it gives {bound.value}")
