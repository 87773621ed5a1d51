"""The certificate file: the bounds shown, the steps that prove them, and a digest over all of it.

A certificate is one JSON object in canonical form (sorted keys, no spaces, one final newline). `checker` reads it with
the standard library only and trusts nothing that is written here; this file only writes what it will read.
The lists below are the schema's words:

- `Step.map`: "head" is one head before the output projection, "folded-head" has its slice of W_O folded into V,
  "layer" is the whole multi-head map, "sublayer" that map with what `Around` puts around it, "written-out" a map of
  `Written`.
- `Step.domain`: "point" is the stored input, "ball" the tokens of norm at most the domain's radius, "layernorm" the
  image of the normalisation whose `norm_weight` and `norm_bias` are listed under the weights.
"""

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np

from .arithmetic.interval import Interval
from .atomic_file import write_whole
from .errors import CertificateError
from .outcome import Bound, NoBound

SCHEMA = "attention-bounds/1"

Map = Literal["head", "folded-head", "layer", "sublayer", "written-out"]
DomainKind = Literal["point", "ball", "layernorm"]


@dataclass(frozen=True)
class Cite:
    """The claim of an earlier step, used as an input of a later one."""

    step: str


Input = int | Interval | Cite | Sequence[Cite]


@dataclass(frozen=True)
class Step:
    """One theorem applied to numbers: with every symbol in its interval, the expression is at most `claim`."""

    id: str
    theorem: str
    map: Map
    head: int | None
    domain: DomainKind
    inputs: Mapping[str, Input]
    claim: float


@dataclass(frozen=True)
class Witness:
    """A direction u, shape (n, d), with |J(X) u| >= claim * |u| at the stored input, for one head or (None) the map."""

    id: str
    head: int | None
    direction: np.ndarray
    claim: float


@dataclass(frozen=True)
class StoredTensor:
    """Where a weight lies in the model file: name, safetensors dtype, shape, sha256 of the raw bytes."""

    tensor: str
    dtype: str
    shape: tuple[int, ...]
    sha256: str


@dataclass(frozen=True)
class Around:
    """What stands around the attention f: kind "residual" is x + f(x), "post-norm" norm(x + f(x)), "pre-norm"
    x + f(norm(x)). The norm is "layernorm" or "rmsnorm", its weight and bias are block_norm_weight (ones if missing)
    and block_norm_bias (zeros), and eps is the double itself; a residual block has none of them.
    """

    kind: str
    norm: str | None = None
    eps: float | None = None


@dataclass(frozen=True)
class RotaryTable:
    """Rotary positions: in words which cosines and sines are meant, how entries are paired, and a hash of the balls."""

    statement: str
    layout: str
    sha256: str


@dataclass(frozen=True)
class Written:
    """A map whose Jacobian was written out: rotary self-attention, or cross-attention with queries from the input and
    keys and values from `context` (m, d_y), its derivative in the `inputs` "x", "y" or "pair".

    A witness's direction then has the shape (n, d), (m, d_y) or (1, n d + m d_y).
    """

    rotary: RotaryTable | None
    inputs: str | None = None
    context: np.ndarray | None = None


@dataclass(frozen=True)
class Proof:
    """All that the checker needs to re-derive the bounds: steps, witnesses, the input, and where the weights are.

    `weights` is keyed by role: query_weight, query_bias, key_weight, key_bias, value_weight, value_bias, output_weight,
    output_bias, norm_weight, norm_bias, and around a layer block_norm_weight, block_norm_bias; a missing bias is zero.
    `hints` is keyed by step id and saves the checker a search, never a proof: "lam" (n,), an upper bound of lam_i for
    every token of local-covariance or local-schur, and "r" (n, n), the float32 values r_ij of local-schur, positive
    where token i sees token j.
    """

    steps: Sequence[Step]
    witnesses: Sequence[Witness]
    input: np.ndarray
    weights: Mapping[str, StoredTensor]
    heads: int
    head_size: int
    scale_squared: Fraction
    masked: bool = False  # whether a mask or any other constant is added to the scores
    around: Around | None = None  # then every step and witness without a head is about the sublayer
    written: Written | None = None  # then about that map, with what is around it
    kv_heads: int | None = None  # where heads share keys and values
    hints: Mapping[str, Mapping[str, np.ndarray]] = field(default_factory=dict)


def shown(bound: Bound | NoBound, *, step: str | None = None, witness: str | None = None) -> dict[str, object]:
    """The bound's JSON with the id of what proves it."""
    entry = bound.as_json()
    if step is not None:
        entry["step"] = step
    if witness is not None:
        entry["witness"] = witness
    return entry


def ratio(upper: float, lower: float) -> float | None:
    """The least double that is at least upper / lower; None where there is none (lower = 0 or overflow)."""
    if not (lower > 0 and math.isfinite(upper)):
        return None
    exact = Fraction(upper) / Fraction(lower)
    if exact >= Fraction(2) ** 1023:
        return None
    nearest = exact.numerator / exact.denominator
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)


def build(bounds: Mapping[str, Any], proof: Proof) -> dict[str, Any]:
    """The certificate as JSON data, with its digest.

    `bounds` holds object, domain, map_norm, upper, lower, ratio, candidates, seconds, heads and global (may be null).
    The object needs model, layer, head (null for the whole map), heads, n and d; the hashes of the weights' entries
    and of the input are added to it here.

    Raises:
        CertificateError: a number is nan or infinite, which no certificate can hold.
    """
    proof_json = _proof(proof)
    about = {
        **bounds["object"],
        "weights_sha256": hashlib.sha256(canonical(proof_json["weights"])).hexdigest(),
        "input_sha256": proof_json["input"]["sha256"],
    }
    certificate = {"schema": SCHEMA, **bounds, "object": about, "proof": proof_json}
    certificate["digest"] = digest(certificate)
    return json.loads(canonical(certificate))


def canonical(data: object) -> bytes:
    """The one text of a JSON value: sorted keys, no spaces, ASCII, floats by repr."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")
    except ValueError as error:
        raise CertificateError(f"a certificate holds finite numbers only: {error}") from error


def digest(certificate: Mapping[str, Any]) -> str:
    """sha256 of the canonical text of everything but the digest itself."""
    return hashlib.sha256(canonical({key: certificate[key] for key in certificate if key != "digest"})).hexdigest()


def save(certificate: Mapping[str, Any], path: str | Path) -> Path:
    """Write the certificate, whole or not at all.

    Raises:
        CertificateError: the folder cannot be written.
    """
    return write_whole(path, canonical(certificate) + b"\n", CertificateError)


def load(path: str | Path) -> dict[str, Any]:
    """Read a certificate's data and compare its digest; this is no check of its claims (see `certify.checker`).

    Raises:
        CertificateError: the file is missing, no JSON object, of another schema, or its digest differs.
    """
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise CertificateError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise CertificateError(f"{path} is not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise CertificateError(f"{path} is not a certificate of schema {SCHEMA}")
    if data.get("digest") != digest(data):
        raise CertificateError(
            f"{path}: the digest differs from the content; the file was changed after it was written"
        )
    return data


def _proof(proof: Proof) -> dict[str, Any]:
    return {
        "steps": [_step(step) for step in proof.steps],
        "witnesses": [
            {"id": w.id, "head": w.head, "direction": _array(w.direction), "claim": _hex(w.claim)}
            for w in proof.witnesses
        ],
        "input": _array(proof.input),
        "weights": {
            role: {"tensor": t.tensor, "dtype": t.dtype, "shape": list(t.shape), "sha256": t.sha256}
            for role, t in proof.weights.items()
        },
        "geometry": {
            "heads": proof.heads,
            "head_size": proof.head_size,
            "scale_squared": str(Fraction(proof.scale_squared)),
            "masked": proof.masked,
            **({} if proof.around is None else {"around": _around(proof.around)}),
            **({} if proof.written is None else {"written_out": _written(proof.written)}),
            **({} if proof.kv_heads is None else {"kv_heads": proof.kv_heads}),
        },
        **(
            {} if proof.written is None or proof.written.context is None else {"context": _array(proof.written.context)}
        ),
        "hints": {
            step: {name: _hint(name, values) for name, values in hints.items()} for step, hints in proof.hints.items()
        },
    }


def _around(around: Around) -> dict[str, Any]:
    return {"kind": around.kind, "norm": around.norm, "eps": None if around.eps is None else _hex(around.eps)}


def _written(written: Written) -> dict[str, Any]:
    return {"rotary": None if written.rotary is None else dict(vars(written.rotary)), "inputs": written.inputs}


def _step(step: Step) -> dict[str, Any]:
    return {
        "id": step.id,
        "theorem": step.theorem,
        "map": step.map,
        "head": step.head,
        "domain": step.domain,
        "inputs": {symbol: _input(value) for symbol, value in step.inputs.items()},
        "claim": _hex(step.claim),
    }


def _input(value: Input) -> Any:
    if isinstance(value, Interval):
        return {"lower": _hex(value.lower), "upper": _hex(value.upper)}
    if isinstance(value, Cite):
        return {"step": value.step}
    if isinstance(value, int):
        return int(value)
    return [_input(item) for item in value]


def _hex(value: float) -> str:
    if not math.isfinite(value):
        raise CertificateError(f"a certificate holds finite numbers only, not {value}")
    return float(value).hex()


def _hint(name: str, values: np.ndarray) -> Any:
    if name == "r":
        return _array(values, "<f4")
    return [_hex(float(value)) for value in values]


def _array(array: np.ndarray, dtype: str = "<f8") -> dict[str, Any]:
    stored = np.ascontiguousarray(array, dtype=dtype)
    if not np.isfinite(stored).all():
        raise CertificateError("a certificate holds finite numbers only, not an array with nan or infinity")
    if not np.array_equal(stored, array):
        raise CertificateError(f"an array of the certificate does not fit {dtype} exactly")
    raw = stored.tobytes()
    return {
        "dtype": dtype,
        "shape": list(array.shape),
        "base64": base64.b64encode(raw).decode("ascii"),
        "sha256": hashlib.sha256(raw).hexdigest(),
    }
