"""Attention f with what stands around it, at the stored input in fixed point: its Jacobian applied to one direction.

The map is x + f(x), norm(x + f(x)) or x + f(norm(x)). With Pi x = x - mean(x) for a LayerNorm, x for an RMSNorm,

    norm(x) = gamma s Pi x + beta,   s = 1 / sqrt(|Pi x|^2 / d + eps),
    D norm(x) e = gamma s ( Pi e - z <z, e> / d ),   z = s Pi x.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .activations import HeadAtInput
from .exact import Exact
from .fixed import ONE, Fixed, beside, fixed
from .jacobian import layer_derivative
from .softmax import TooCoarse
from .weights import Layer, Norm


@dataclass(frozen=True)
class SublayerAtInput:
    """The block of that kind around the layer at tokens (n, d); a residual block has no norm."""

    kind: str
    layer: Layer
    tokens: Exact

    def derivative(self, direction: Exact) -> Fixed:
        """The Jacobian applied to a direction (n, d).

        Raises:
            TooCoarse: a token's mean square plus eps may be 0.
        """
        E = fixed(direction)
        inside = E if self.before is None else self.before.derivative(E)
        total = E + layer_derivative(self.layer, self.heads, inside)
        return total if self.after is None else self.after.derivative(total)

    @cached_property
    def before(self) -> "NormAt | None":
        norm = self.layer.block_norm
        return NormAt(norm, fixed(self.tokens)) if norm is not None and self.kind == "pre-norm" else None

    @cached_property
    def heads(self) -> Sequence[HeadAtInput]:
        inputs = None if self.before is None else self.before.output
        return [HeadAtInput(self.layer, head, self.tokens, inputs) for head in self.layer.heads]

    @cached_property
    def after(self) -> "NormAt | None":
        norm = self.layer.block_norm
        return (
            NormAt(norm, fixed(self.tokens) + self._output) if norm is not None and self.kind == "post-norm" else None
        )

    @property
    def _output(self) -> Fixed:
        """f at the tokens: every row of the attention weights sums to 1, so that the value bias is added once."""
        count = len(self.tokens.rows)
        heads = beside(*(head.weights @ head.value for head in self.heads)) + _repeated(self.layer.value_bias, count)
        output = heads if self.layer.output is None else heads @ fixed(self.layer.output).T
        return output if self.layer.output_bias is None else output + _repeated(self.layer.output_bias, count)


@dataclass(frozen=True)
class NormAt:
    """A norm at tokens (n, d)."""

    norm: Norm
    tokens: Fixed

    @cached_property
    def output(self) -> Fixed:
        return self._unit.times(self._gamma) + _repeated(self.norm.beta, len(self.tokens.rows))

    def derivative(self, E: Fixed) -> Fixed:
        along = _divided(self._unit.times(E).row_sums(), self._width)
        return (self._projected(E) - self._unit.times(along)).times(self._inverse).times(self._gamma)

    @cached_property
    def _inverse(self) -> Fixed:
        """s, (n, 1): between the roots at both ends of the mean square, which is never negative."""
        square = _divided(self._centred.times(self._centred).row_sums(), self._width)
        ends = [_inverse_root(row[0], square.error, self.norm.eps) for row in square.rows]
        return Fixed([[(low + high) >> 1] for low, high in ends], max(high - low for low, high in ends) + 1)

    @cached_property
    def _unit(self) -> Fixed:
        """z."""
        return self._centred.times(self._inverse)

    @cached_property
    def _centred(self) -> Fixed:
        return self._projected(self.tokens)

    def _projected(self, rows: Fixed) -> Fixed:
        return rows - _divided(rows.row_sums(), self._width) @ _ones(self._width) if self.norm.centred else rows

    @cached_property
    def _gamma(self) -> Fixed:
        return fixed(self.norm.gamma)

    @property
    def _width(self) -> int:
        return len(self.norm.gamma.rows[0])


def _inverse_root(entry: int, error: int, eps: Fraction) -> tuple[int, int]:
    """1 / sqrt(v + eps) for every v >= 0 within `error` of `entry`, between two numbers of units of 2**-PLACES."""
    least, most = (Fraction(max(end, 0), ONE) + eps for end in (entry - error, entry + error))
    if least == 0:
        raise TooCoarse("a token's mean square plus eps may be 0")
    low, high = (math.isqrt(ONE * ONE * end.denominator // end.numerator) for end in (most, least))
    return low, high + 1


def _divided(matrix: Fixed, count: int) -> Fixed:
    return Fixed([[entry // count for entry in row] for row in matrix.rows], matrix.error // count + 2)


def _ones(count: int) -> Fixed:
    return Fixed([[ONE] * count], 0)


def _repeated(row: Exact, count: int) -> Fixed:
    """One row (1, k) repeated as `count` rows."""
    rounded = fixed(row)
    return Fixed(rounded.rows * count, rounded.error)
