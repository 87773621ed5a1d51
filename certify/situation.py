"""One head (or a whole layer) with one input: what every method looks at, computed once and on demand."""

from dataclasses import dataclass
from functools import cached_property

from .activations import Activations
from .arithmetic.matrices import BallMatrix
from .attention_layer import Array, AttentionLayer
from .chebyshev.chance import Chance
from .domains import LayerNormImage
from .head_norms import HeadNorms
from .lower.lanczos import Witnessed, witness
from .norms import euclidean_norm_upper
from .token_blocks import TokenBlocks


@dataclass(frozen=True)
class Situation:
    """A layer of one head at an exact input X (n, d), with the LayerNorm that feeds it where that is known."""

    layer: AttentionLayer
    X: Array
    image: LayerNormImage | None = None
    chance: Chance | None = None  # where a method may draw random numbers, and
    place: int = 0  # which of them are its own

    @cached_property
    def activations(self) -> Activations:
        return Activations(self.layer, self.X)

    @cached_property
    def witnessed(self) -> Witnessed:
        return witness(self.activations)

    @cached_property
    def blocks(self) -> TokenBlocks:
        return TokenBlocks(self.activations)

    @cached_property
    def norms(self) -> HeadNorms:
        return HeadNorms(self.layer, self.image)

    @cached_property
    def radius(self) -> float:
        """The largest norm of a token of X, rounded up."""
        return float(euclidean_norm_upper(BallMatrix.exact(self.X)).max())
