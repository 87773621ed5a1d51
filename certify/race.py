"""Runs every method on one head and on the whole layer; the least upper bound wins and is named."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .arithmetic.interval import Interval
from .arithmetic.matrices import BallMatrix
from .attention_layer import Array, AttentionLayer
from .chebyshev.chance import Chance
from .derivation import Derived, derive
from .domains import LayerNormImage
from .lower.lanczos import Witnessed
from .method import DomainKind, Enclosed, Tier
from .norms import spectral_norm
from .outcome import Bound, Guarantee, NoBound
from .situation import Situation
from .upper import methods

PUBLISHED = "compact-softmax-published"


@dataclass(frozen=True)
class Raced:
    """What is proved about one map at the point, and on the LayerNorm image.

    The map is one head, or where that is None `whole`: the layer, what is built around it, or one written out.
    """

    head: int | None
    candidates: tuple[Derived, ...]
    witness: Witnessed
    image_candidates: tuple[Derived, ...] = ()
    whole: Literal["layer", "sublayer", "written-out"] = "layer"

    @property
    def place(self) -> str:
        """What a certificate calls this map."""
        return self.whole if self.head is None else f"head-{self.head}"

    def step_id(self, derived: Derived) -> str:
        return f"{self.place}/{derived.domain}/{derived.theorem}"

    @property
    def winner(self) -> Derived | None:
        """The candidate with the least upper bound at the point, whatever its guarantee."""
        return least(self.candidates)

    @property
    def image_winner(self) -> Derived | None:
        """The candidate with the least proved upper bound on everything the LayerNorm can produce."""
        return least(self.image_candidates)

    @property
    def published(self) -> Derived | None:
        """The published compact-set theorem on the ball of the tokens' largest norm, for comparison."""
        return next((c for c in self.candidates if c.theorem == PUBLISHED), None)


def proved(candidates: Sequence[Derived]) -> list[Derived]:
    """Those whose bound is proved: only they may stand in another proof."""
    return [c for c in candidates if isinstance(c.bound, Bound) and c.bound.guarantee is Guarantee.PROVED]


def least(candidates: Sequence[Derived]) -> Derived | None:
    """The candidate with the least upper bound; None where no method gave one."""
    bounded = [(c.bound.value, i) for i, c in enumerate(candidates) if isinstance(c.bound, Bound)]
    return candidates[min(bounded)[1]] if bounded else None


def race_head(
    layer: AttentionLayer, index: int, X: Array, image: LayerNormImage | None, tier: Tier, chance: Chance | None = None
) -> Raced:
    """Every method of the tier on head `index` without its output projection, at X and on the LayerNorm image."""
    situation = Situation(layer.head(index), X, image, chance, place=index + 1)
    at_point, on_image = [], []
    for method in methods():
        if (method.domain == "layernorm" and image is None) or not method.runs_in(tier):
            continue
        derived = derive(method.theorem, method.domain, situation.layer, lambda m=method: m.enclosed(situation))
        (on_image if method.domain == "layernorm" else at_point).append(derived)
    return Raced(index, tuple(at_point), situation.witnessed, tuple(on_image))


def race_layer(
    layer: AttentionLayer, heads: Sequence[Raced], witnessed: Witnessed, jointly: Mapping[str, Callable[[], Enclosed]]
) -> Raced:
    """The whole map: from its heads' winners and |W_O|, and by the theorems that look at all heads `jointly`."""
    at_point = [
        _joined(layer, [(head, least(proved(head.candidates))) for head in heads], "point"),
        _joined(layer, [(head, head.published) for head in heads], "ball"),
        *(derive(theorem, "point", layer, enclosed) for theorem, enclosed in jointly.items()),
    ]
    known = any(head.image_candidates for head in heads)
    on_image = (_joined(layer, [(head, head.image_winner) for head in heads], "layernorm"),) if known else ()
    return Raced(None, tuple(at_point), witnessed, on_image)


def _joined(layer: AttentionLayer, winners: Sequence[tuple[Raced, Derived | None]], domain: DomainKind) -> Derived:
    """|W_O| sqrt(sum of squares) of the heads' least bounds, citing the steps that proved them."""
    claims, cites = [], []
    for head, winner in winners:
        if winner is None or not isinstance(winner.bound, Bound):
            reason = f"head {head.head} has no bound of its own, so the heads cannot be joined"
            return Derived("heads-joined", domain, {}, NoBound("upper", "heads-joined", reason))
        claims.append(Interval.point(winner.bound.value))
        cites.append(head.step_id(winner))

    def enclosed() -> Enclosed:
        return Enclosed({"H": len(claims), "norm_WO": output_norm(layer), "L": claims})

    return derive("heads-joined", domain, layer, enclosed, cites)


def output_norm(layer: AttentionLayer) -> Interval:
    """|W_O|, or 1 where the heads stay side by side."""
    if layer.output_weight is None:
        return Interval.point(1.0)
    return spectral_norm(BallMatrix.exact(layer.output_weight.reshape(len(layer.output_weight), -1)))
