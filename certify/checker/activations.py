"""One head at the stored input, in fixed point: projections, attention weights and their means."""

from dataclasses import dataclass
from functools import cached_property

from .exact import Exact
from .fixed import Fixed, column, fixed, root
from .softmax import softmax
from .weights import Head, Layer


@dataclass(frozen=True)
class HeadAtInput:
    """q_i = W_Q x_i + b_Q, k_j = W_K x_j + b_K, y_j = W_V x_j as rows (n, k), and P (n, n).

    Where a norm stands before the head, x are its outputs, in fixed point, in place of the stored tokens.
    """

    layer: Layer
    head: Head
    tokens: Exact  # (n, d)
    inputs: Fixed | None = None

    def _project(self, weight: Exact) -> Fixed:
        return project(self.tokens if self.inputs is None else self.inputs, weight)

    @cached_property
    def scale(self) -> Fixed:
        return root(self.layer.scale_squared)

    @cached_property
    def query(self) -> Fixed:
        return self._project(self.head.query) + column(self.head.query_bias, len(self.tokens.rows))

    @cached_property
    def key(self) -> Fixed:
        return self._project(self.head.key) + column(self.head.key_bias, len(self.tokens.rows))

    @cached_property
    def value(self) -> Fixed:
        """Without the value bias, which only translates the output."""
        return self._project(self.head.value)

    @cached_property
    def weights(self) -> Fixed:
        """P."""
        return softmax((self.query @ self.key.T).times(self.scale))


def project(rows: Exact | Fixed, weight: Exact) -> Fixed:
    """rows (n, d) times weight^T (d, k)."""
    return fixed(rows @ weight.T) if isinstance(rows, Exact) else rows @ fixed(weight.T)
