"""What `certify.layer` returns: every bound of a layer at one input, to be read, shown, saved and checked again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import certificate
from .arithmetic.interval import Interval
from .attention_layer import Array, AttentionLayer
from .certificate import Cite, Input, Proof, Step, StoredTensor, Witness, build, ratio, save, shown
from .chebyshev.chance import Chance
from .derivation import Derived
from .errors import CertificateError
from .explicit.attention_pair import AttentionPair
from .explicit.written_out import Written
from .method import Value
from .outcome import Bound, NoBound
from .race import Raced, proved
from .sublayer.sublayer import Around

NOT_SAVED = "a probable bound cannot be proved again, so no certificate is saved: take another tier, or --json"


@dataclass(frozen=True)
class LayerCertificate:
    """Bounds on the Jacobian norm (l2 to l2) of every head and of the whole layer, at the exact input `X`.

    `heads` are the maps before the output projection, `whole` the multi-head map with it. Where the LayerNorm before
    the layer is known, each also has a global bound: a Lipschitz constant on everything that LayerNorm can produce.
    Where something stands `around` the layer, or it is written out, that is the one map, `whole`, without heads.
    """

    about: Mapping[str, Any]
    layer: AttentionLayer | AttentionPair
    X: Array
    heads: Sequence[Raced]
    whole: Raced
    weights: Mapping[str, StoredTensor]
    seconds: float
    chance: Chance | None = None  # of the bounds that are probable
    around: Around | None = None
    written: Written | None = None

    @property
    def subject(self) -> Raced:
        """The map the certificate is about: the whole layer, or the one head that was asked for."""
        return self.heads[0] if self.about.get("head") is not None else self.whole

    @property
    def upper(self) -> Bound | NoBound:
        """The least upper bound at the input: proved, or probable in the tier of that name."""
        return best_upper(self.subject.candidates)

    @property
    def lower(self) -> Bound:
        """The witness: a lower bound proved at the input in one stored direction."""
        return self.subject.witness.bound

    @property
    def ratio(self) -> float | None:
        """upper / lower, rounded up; None where there is no upper bound or the witness is 0."""
        return _ratio(self.subject)

    @property
    def global_upper(self) -> Bound | NoBound | None:
        """The least proved Lipschitz constant on the LayerNorm image; None where no LayerNorm is known."""
        return best_upper(self.subject.image_candidates) if self.subject.image_candidates else None

    @property
    def _kv_heads(self) -> int | None:
        """How many keys and values the file holds, where heads share them."""
        stored = self.weights.get("key_weight")
        if stored is None or len(stored.shape) != 2:
            return None
        count = stored.shape[0] // self.layer.head_size
        return None if count == self.layer.heads else count

    def as_json(self) -> dict[str, Any]:
        """The full certificate, proof and digest included."""
        maps = _unique([*self.heads, self.subject])
        proof = Proof(
            steps=[step for raced in maps for step in _steps(raced)],
            witnesses=[_witness(raced) for raced in maps],
            input=self.X,
            weights=self.weights,
            heads=self.layer.heads,
            head_size=self.layer.head_size,
            scale_squared=self.layer.scale_squared,
            masked=self.layer.score_bias is not None,
            around=_around(self.around),
            written=_written(self.written),
            kv_heads=self._kv_heads,
            hints={raced.step_id(c): c.hints for raced in maps for c in raced.candidates if c.hints},
        )
        summary = {
            "object": dict(self.about),
            "domain": {"kind": "point"},
            "map_norm": "l2",
            "seconds": self.seconds,
            "heads": [{"head": raced.head, **_section(raced)} for raced in self.heads],
            **_section(self.subject),
        }
        if self.chance is not None:
            summary |= {"failure_probability": self.chance.failure, "seed": hex(self.chance.seed)}
        return build(summary, proof)

    def summary(self) -> dict[str, Any]:
        """The Bound JSON: the certificate without its proof, which is large."""
        return {key: value for key, value in self.as_json().items() if key not in ("proof", "digest")}

    def save(self, path: str | Path) -> Path:
        """Write the certificate; `certify check` re-proves it.

        Raises CertificateError where it cannot be written, or for random numbers, with which nothing is proved again.
        """
        if self.chance is not None:
            raise CertificateError(NOT_SAVED)
        return save(self.as_json(), path)

    def table(self) -> str:
        """The bounds as a text table, upper bounds rounded up and lower bounds down, each with its guarantee."""
        from .report.table import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from .report.html import as_html

        return as_html(self)


def best_upper(candidates: Sequence[Derived]) -> Bound | NoBound:
    """The least bound, or why there is none."""
    bounded = [c.bound for c in candidates if isinstance(c.bound, Bound)]
    if bounded:
        return min(bounded, key=lambda bound: bound.value)
    reasons = "; ".join(f"{c.theorem}: {c.bound.reason}" for c in candidates if isinstance(c.bound, NoBound))
    return NoBound("upper", "race", reasons or "no method applies")


def _around(around: Around | None) -> certificate.Around | None:
    if around is None or around.norm is None:
        return None if around is None else certificate.Around(around.kind)
    return certificate.Around(around.kind, "layernorm" if around.norm.centred else "rmsnorm", around.norm.eps)


def _written(written: Written | None) -> certificate.Written | None:
    if written is None:
        return None
    rotary = written.rotary
    table = None if rotary is None else certificate.RotaryTable(rotary.statement, rotary.layout, rotary.sha256)
    return certificate.Written(table, written.inputs, written.context)


def _ratio(raced: Raced) -> float | None:
    upper = best_upper(raced.candidates)
    return ratio(upper.value, raced.witness.bound.value) if isinstance(upper, Bound) else None


def _unique(maps: Sequence[Raced]) -> list[Raced]:
    return list({raced.head: raced for raced in maps}.values())


def _entry(raced: Raced, derived: Derived) -> dict[str, object]:
    return shown(derived.bound, step=raced.step_id(derived) if proved([derived]) else None)


def _best_entry(raced: Raced, candidates: Sequence[Derived]) -> dict[str, object]:
    best = best_upper(candidates)
    winner = next((c for c in candidates if c.bound is best), None)
    return _entry(raced, winner) if winner is not None else shown(best)


def _section(raced: Raced) -> dict[str, Any]:
    on_image = raced.image_candidates
    return {
        "upper": _best_entry(raced, raced.candidates),
        "lower": shown(raced.witness.bound, witness=f"{raced.place}/witness"),
        "ratio": _ratio(raced),
        "candidates": [_entry(raced, derived) for derived in raced.candidates],
        "global": {
            "domain": {"kind": "layernorm"},
            "upper": _best_entry(raced, on_image),
            "candidates": [_entry(raced, derived) for derived in on_image],
        }
        if on_image
        else None,
    }


def _steps(raced: Raced) -> list[Step]:
    return [
        Step(
            id=raced.step_id(derived),
            theorem=derived.theorem,
            map="head" if raced.head is not None else raced.whole,
            head=raced.head,
            domain=derived.domain,
            inputs={name: _input(derived, value) for name, value in derived.inputs.items()},
            claim=derived.bound.value,
        )
        for derived in proved((*raced.candidates, *raced.image_candidates))
        if isinstance(derived.bound, Bound)
    ]


def _input(derived: Derived, value: Value) -> Input:
    """The value as a certificate holds it: a sequence of bounds becomes the steps that proved them."""
    return value if isinstance(value, int | Interval) else [Cite(step) for step in derived.cites]


def _witness(raced: Raced) -> Witness:
    return Witness(f"{raced.place}/witness", raced.head, raced.witness.direction, raced.witness.bound.value)
