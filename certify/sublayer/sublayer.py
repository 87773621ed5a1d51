"""Attention f with what stands around it: x + f(x), norm(x + f(x)) or x + f(norm(x)).

All three have a Jacobian L (I + J R) with one block a token in L and in R: the identity, or the Jacobian of the
normalisation at x + f(x) for L, at x for R. J is the attention's Jacobian at the tokens that enter it.

Nothing here is rigorous; `enclosed` encloses the same.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from ..attention_layer import Array, AttentionLayer, JacobianProducts
from ..errors import ModelError
from .token_norm import NormProducts, TokenNorm

Kind = Literal["residual", "post-norm", "pre-norm"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class Around:
    """What stands around an attention."""

    kind: Kind
    norm: TokenNorm | None


@dataclass(frozen=True, eq=False)
class Sublayer:
    """The map of tokens (n, d) to tokens (n, d); `norm` stands after the sum, before the attention, or nowhere.

    Raises ModelError for an unknown kind, an attention whose outputs are not of size d, a norm that is missing, of
    another width, or given to a kind that has none.
    """

    attention: AttentionLayer
    kind: Kind
    norm: TokenNorm | None = None

    def __post_init__(self) -> None:
        d, d_out = self.attention.width, self.attention.output_size
        if self.kind not in KINDS:
            raise ModelError(f"a block is one of {', '.join(KINDS)}, not {self.kind!r}")
        if d_out != d:
            raise ModelError(f"no residual connection: tokens have size {d}, the attention's outputs {d_out}")
        if self.norm is None and self.kind != "residual":
            raise ModelError(f"the block {self.kind} needs a norm: give its weight, bias and eps")
        if self.norm is not None and self.kind == "residual":
            raise ModelError("the block residual has no norm: leave it out, or name the kind post-norm or pre-norm")
        if self.norm is not None and self.norm.width != d:
            raise ModelError(f"the {self.norm.name} is for tokens of size {self.norm.width}, the attention's have {d}")

    @property
    def around(self) -> Around:
        return Around(self.kind, self.norm)

    @property
    def before(self) -> TokenNorm | None:
        """The norm of the tokens that enter the attention."""
        return self.norm if self.kind == "pre-norm" else None

    @property
    def after(self) -> TokenNorm | None:
        """The norm of the sum."""
        return self.norm if self.kind == "post-norm" else None

    def forward(self, X: Array) -> Array:
        """Output (n, d) for tokens (n, d)."""
        total = X + self.attention.forward(self.entering(X))
        return total if self.after is None else self.after.forward(total)

    def entering(self, X: Array) -> Array:
        """The tokens that enter the attention."""
        return X if self.before is None else self.before.forward(X)


@dataclass(frozen=True, eq=False)
class SublayerProducts:
    """The Jacobian L (I + J R) at tokens X (n, d) and its transpose, applied to (n, d) in floating point."""

    sublayer: Sublayer
    X: Array

    @property
    def input_shape(self) -> tuple[int, int]:
        return self.X.shape[0], self.X.shape[1]

    output_shape = input_shape

    def jvp(self, E: Array) -> Array:
        inside = E if self._before is None else self._before.jvp(E)
        total = E + self._attention.jvp(inside)
        return total if self._after is None else self._after.jvp(total)

    def vjp(self, G: Array) -> Array:
        G = G if self._after is None else self._after.vjp(G)
        inside = self._attention.vjp(G)
        return G + (inside if self._before is None else self._before.vjp(inside))

    @cached_property
    def _attention(self) -> JacobianProducts:
        return JacobianProducts(self.sublayer.attention, self.sublayer.entering(self.X))

    @cached_property
    def _before(self) -> NormProducts | None:
        norm = self.sublayer.before
        return None if norm is None else NormProducts(norm, self.X)

    @cached_property
    def _after(self) -> NormProducts | None:
        norm = self.sublayer.after
        return None if norm is None else NormProducts(norm, self.X + self.sublayer.attention.forward(self.X))
