"""Where a bound is asked for: one point, all tokens of bounded norm, or everything that a LayerNorm can produce."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .errors import InputError

Array = NDArray[np.float64]


def _frozen(values: Array) -> Array:
    """A private, read-only float64 copy: a domain cannot change after its bound was proved."""
    copy = np.array(values, dtype=np.float64, order="C")
    copy.setflags(write=False)
    return copy


@dataclass(frozen=True, eq=False)
class Point:
    """One exactly stored input.

    Shapes: tokens (n, d), n and d at least 1; the doubles themselves are the point, nothing is rounded.
    Raises InputError for another shape, or for nan or infinity.
    """

    kind: ClassVar[str] = "point"
    tokens: Array

    def __post_init__(self) -> None:
        if self.tokens.ndim != 2 or self.tokens.size == 0:
            raise InputError(f"a point has shape (tokens, width), both at least 1; got {self.tokens.shape}")
        if not np.isfinite(self.tokens).all():
            raise InputError("a point has finite entries; got nan or infinity")
        object.__setattr__(self, "tokens", _frozen(self.tokens))


@dataclass(frozen=True)
class Ball:
    """All inputs whose tokens satisfy |x_i| <= radius in the Euclidean norm; radius 0 is the single point 0.

    Raises InputError for a radius that is negative, infinite or nan.
    """

    kind: ClassVar[str] = "ball"
    radius: float

    def __post_init__(self) -> None:
        if not (0.0 <= self.radius < math.inf):
            raise InputError(f"the radius of a ball is a finite number at least 0; got {self.radius}")


@dataclass(frozen=True, eq=False)
class LayerNormImage:
    """All inputs whose tokens a LayerNorm can produce, contained in {Gamma z + beta : |z| <= sqrt(d), 1^T z = 0}.

    With y centred and v its mean square, z = y / sqrt(v + eps) is centred and |z|^2 = d v / (v + eps) <= d for every
    eps >= 0, so the set does not depend on eps; eps is kept because it belongs to the layer that the set describes.
    The set is convex, hence a bound on the Jacobian over it is a Lipschitz constant on it.

    Shapes: gamma (d,), beta (d,). Raises InputError for other shapes, nan or infinity, or a negative eps.
    """

    kind: ClassVar[str] = "layernorm"
    gamma: Array
    beta: Array
    eps: float

    def __post_init__(self) -> None:
        if self.gamma.ndim != 1 or self.gamma.size == 0 or self.gamma.shape != self.beta.shape:
            got = f"{self.gamma.shape} and {self.beta.shape}"
            raise InputError(f"a LayerNorm has weight and bias of one shape (width,); got {got}")
        if not (np.isfinite(self.gamma).all() and np.isfinite(self.beta).all()):
            raise InputError("a LayerNorm has a finite weight and bias; got nan or infinity")
        if not (0.0 <= self.eps < math.inf):
            raise InputError(f"the eps of a LayerNorm is a finite number at least 0; got {self.eps}")
        object.__setattr__(self, "gamma", _frozen(self.gamma))
        object.__setattr__(self, "beta", _frozen(self.beta))


Domain = Point | Ball | LayerNormImage
