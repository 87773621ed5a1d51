"""A sublayer at one exact input, enclosed: where its norm stands, the attention's activations, and products with J."""

from dataclasses import dataclass
from functools import cached_property

from ..activations import Activations
from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array
from .norm_at_tokens import NormAtTokens
from .sublayer import Sublayer


@dataclass(frozen=True, eq=False)
class EnclosedSublayer:
    """`sublayer` at the exact tokens X (n, d).

    Raises NoEnclosure, from its properties, where a statistic of its norm overflows, or a variance plus eps may be 0.
    """

    sublayer: Sublayer
    X: Array

    @cached_property
    def before(self) -> NormAtTokens | None:
        """The norm before the attention, at X."""
        norm = self.sublayer.before
        return None if norm is None else NormAtTokens(norm, BallMatrix.exact(self.X))

    @cached_property
    def activations(self) -> Activations:
        """Of the attention, at X or at the balls around norm(X)."""
        inputs = None if self.before is None else self.before.output
        return Activations(self.sublayer.attention, self.X, inputs)

    @cached_property
    def after(self) -> NormAtTokens | None:
        """The norm after the sum, at the balls around X + f(X)."""
        norm = self.sublayer.after
        return None if norm is None else NormAtTokens(norm, BallMatrix.exact(self.X) + self.activations.output)

    def jvp(self, direction: Array) -> BallMatrix:
        """The Jacobian applied to an exact direction (n, d)."""
        E = BallMatrix.exact(direction)
        inside = E if self.before is None else self.before.jvp(E)
        total = E + self.activations.jvp_of(inside)
        return total if self.after is None else self.after.jvp(total)
