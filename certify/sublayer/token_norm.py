"""LayerNorm and RMSNorm, token by token, and their Jacobians.

Let Pi x = x - mean(x) for LayerNorm and Pi x = x for RMSNorm, Gamma = diag(gamma). With

    s = 1 / sqrt(|Pi x|^2 / d + eps),   xhat = s Pi x,

the output is gamma xhat + beta and the Jacobian s Gamma (Pi - xhat xhat^T / d), a matrix (d, d) for every token.

Nothing here is rigorous; `norm_at_tokens` encloses the same.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..attention_layer import Array, TensorSource
from ..errors import ModelError


@dataclass(frozen=True, eq=False)
class TokenNorm:
    """gamma and beta (d,) and eps, taken as the exact doubles they are; `centred` for LayerNorm, not for RMSNorm.

    Raises ModelError for other shapes, nan or infinity, or an eps that is negative.
    """

    gamma: Array
    beta: Array
    eps: float
    centred: bool = True
    sources: dict[str, TensorSource] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.gamma.ndim != 1 or self.gamma.size == 0 or self.gamma.shape != self.beta.shape:
            got = f"{self.gamma.shape} and {self.beta.shape}"
            raise ModelError(f"a {self.name} has weight and bias of one shape (d,), not {got}")
        if not (np.isfinite(self.gamma).all() and np.isfinite(self.beta).all()):
            raise ModelError(f"a {self.name} has a finite weight and bias, this one holds nan or infinity")
        if not 0.0 <= self.eps < np.inf:
            raise ModelError(f"the eps of a {self.name} is a finite number at least 0, not {self.eps}")

    @property
    def name(self) -> str:
        return "LayerNorm" if self.centred else "RMSNorm"

    @property
    def width(self) -> int:
        """d."""
        return len(self.gamma)

    def forward(self, X: Array) -> Array:
        """The output for tokens (n, d)."""
        return self.gamma * NormProducts(self, X).unit + self.beta


@dataclass(frozen=True, eq=False)
class NormProducts:
    """The Jacobian at tokens (n, d) and its transpose, applied to (n, d) in floating point (an estimate)."""

    norm: TokenNorm
    X: Array

    @cached_property
    def inverse(self) -> Array:
        """s, (n, 1)."""
        with np.errstate(all="ignore"):  # no variance at all, or one that overflows: no bound later
            return 1.0 / np.sqrt(np.square(self._projected(self.X)).mean(-1, keepdims=True) + self.norm.eps)

    @cached_property
    def unit(self) -> Array:
        """xhat, (n, d)."""
        return self.inverse * self._projected(self.X)

    def jvp(self, E: Array) -> Array:
        return self.norm.gamma * self._symmetric(E)

    def vjp(self, G: Array) -> Array:
        return self._symmetric(self.norm.gamma * G)

    def _symmetric(self, E: Array) -> Array:
        return self.inverse * (self._projected(E) - self.unit * (self.unit * E).mean(-1, keepdims=True))

    def _projected(self, E: Array) -> Array:
        return E - E.mean(-1, keepdims=True) if self.norm.centred else E
