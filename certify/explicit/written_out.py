"""Rotary self-attention, blocks around it, and cross-attention as explicit maps at given tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array
from ..errors import InputError, ModelError
from ..sublayer.norm_at_tokens import NormAtTokens
from ..sublayer.sublayer import Kind
from ..sublayer.token_norm import TokenNorm
from .attention_pair import AttentionPair
from .explicit_map import ExplicitMap, explicit_map, require_explicit
from .rotary import Rotary
from .rows import AttentionRows

Inputs = Literal["x", "y", "pair"]


@dataclass(frozen=True, eq=False)
class Written:
    """What a certificate of a written-out map tells besides its weights: rotations, and for cross-attention what it is
    the derivative in, and Y.
    """

    rotary: Rotary | None = None
    inputs: Inputs | None = None
    context: Array | None = None


@dataclass(frozen=True)
class WrittenOut:
    """A map whose Jacobian was written out as a matrix near the true one; `words` say which map it is."""

    words: str


def self_attention_map(
    pair: AttentionPair, X: Array, kind: Kind | None = None, norm: TokenNorm | None = None
) -> ExplicitMap:
    """The Jacobian of self-attention at X (n, d), or with `kind` of the block around it: L (I + J R).

    `kind` and `norm` are those of a `Sublayer`, which checks them.
    Raises NoEnclosure where anything overflows; InputError where the matrix would be too large.
    """
    require_explicit(len(X) * pair.output_size, X.size)
    exact = BallMatrix.exact(X)
    before = NormAtTokens(norm, exact) if norm is not None and kind == "pre-norm" else None
    entering = exact if before is None else before.output
    rows = AttentionRows(pair, entering, entering)
    after = NormAtTokens(norm, exact + rows.output) if norm is not None and kind == "post-norm" else None

    def around() -> Iterator[BallMatrix]:
        for i in range(len(X)):
            own, others = rows.row(i)
            total = _added(others, i, own)
            if before is not None:
                total = _swapped(_swapped(total) @ before.jacobian)
            if kind is not None:
                total = _added(total, i, BallMatrix.exact(np.eye(pair.output_size)))
            flat = total.reshape(pair.output_size, X.size)
            yield flat if after is None else after.jacobian[i] @ flat

    return explicit_map(around(), len(X))


def cross_attention_map(pair: AttentionPair, X: Array, Y: Array, inputs: Inputs) -> ExplicitMap:
    """The Jacobian in X (n, d), in Y (m, d_y), or in the pair, whose norm is that of all their entries together.

    Raises NoEnclosure where anything overflows; InputError for other words, or where the matrix would be too large.
    """
    if inputs not in get_args(Inputs):
        raise InputError(f"the Jacobian is taken in x, in y or in the pair of both, not in {inputs!r}")
    size = {"x": X.size, "y": Y.size, "pair": X.size + Y.size}[inputs]
    require_explicit(len(X) * pair.output_size, size)
    rows = AttentionRows(pair, BallMatrix.exact(X), BallMatrix.exact(Y))

    def parts() -> Iterator[BallMatrix]:
        for i in range(len(X)):
            own, others = rows.row(i)
            in_x = _added(BallMatrix.exact(np.zeros((len(own.mid), *X.shape))), i, own).reshape(len(own.mid), X.size)
            in_y = others.reshape(len(own.mid), Y.size)
            yield in_x if inputs == "x" else in_y if inputs == "y" else _beside(in_x, in_y)

    return explicit_map(parts(), len(X))


def require_rotary(pair: AttentionPair) -> None:
    """Raises ModelError for cross-attention handed over as self-attention."""
    if pair.width != pair.context_width:
        raise ModelError(
            f"keys read tokens of size {pair.context_width}, queries of size {pair.width}: no self-attention"
        )


def _added(blocks: BallMatrix, i: int, block: BallMatrix) -> BallMatrix:
    """blocks (a, m, b) with one more term (a, b) at m = i."""
    total = blocks[:, i] + block
    mid, rad = blocks.mid.copy(), blocks.rad.copy()
    mid[:, i], rad[:, i] = total.mid, total.rad
    return BallMatrix(mid, rad)


def _swapped(x: BallMatrix) -> BallMatrix:
    """The first two axes exchanged."""
    return BallMatrix(np.ascontiguousarray(x.mid.swapaxes(0, 1)), np.ascontiguousarray(x.rad.swapaxes(0, 1)))


def _beside(left: BallMatrix, right: BallMatrix) -> BallMatrix:
    return BallMatrix(np.hstack([left.mid, right.mid]), np.hstack([left.rad, right.rad]))
