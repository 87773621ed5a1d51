"""The Jacobian as doubles, and how far a floating-point product with it can be from the true one.

The doubles are the midpoints of the balls around the activations. Between the projections every entry of a product is
a sum of monomials of at most three balls: one of P, one of q and k, one of y and mu. With a rho for each kind, every
radius is at most rho times the modulus |mid| + radius / rho. Then the true and the rounded map differ by at most
(prod (1 + rho) - 1) M entry by entry, M the same map with those moduli; and a product that passes through c roundings
is off by at most gamma_c times the map with the moduli of all factors, projections included.

A map without negative entries has |M|^2 <= max_i (M^T M x)_i / x_i for every positive x (Schur test), and products of
nonnegative numbers are right to their roundings. Entries are below 2^100: underflow adds less than 2^-500.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..activations import Activations
from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..norms import spectral_norm
from .products import Factors

LARGEST = 2.0**100  # of every entry
UNDERFLOW = 2.0**-500
_SWEEPS = 3  # of the power iteration that finds a good x
_FLOOR = 2.0**-8  # of x, so that no entry is nearly zero


@dataclass(frozen=True, eq=False)
class Perturbed:
    """Products with `factors` are off by at most `error` |E| + UNDERFLOW in the Frobenius norm, both ways."""

    factors: Factors
    error: float

    @property
    def input_shape(self) -> tuple[int, int]:
        return self.factors.weights.shape[1], self.factors.value_weight.shape[2]


@quiet
def perturbed(activations: Activations) -> Perturbed:
    """The midpoints of a layer's activations. Raises NoEnclosure where they overflow or are too large."""
    weights, value, mean = activations.weights, activations.value, activations.mean_value
    query, key = activations.query * activations.scale, activations.key * activations.scale
    rhos = [_common_radius(kind) for kind in ((weights,), (query, key), (value, mean))]
    layer = activations.layer
    output = None if layer.output_weight is None else layer.output_weight.reshape(len(layer.output_weight), -1)
    factors = Factors(
        weights=weights.mid,
        query=query.mid,
        key=key.mid,
        value=value.mid,
        mean=mean.mid,
        query_weight=layer.query_weight,
        key_weight=layer.key_weight,
        value_weight=layer.value_weight,
        output=output,
    )
    moduli = Factors(
        weights=_modulus(weights, rhos[0]),
        query=_modulus(query, rhos[1]),
        key=_modulus(key, rhos[1]),
        value=_modulus(value, rhos[2]),
        mean=-_modulus(mean, rhos[2]),
        query_weight=np.abs(layer.query_weight),
        key_weight=np.abs(layer.key_weight),
        value_weight=np.abs(layer.value_weight),
        output=None if output is None else np.abs(output),
    )
    _check_size(moduli)
    return Perturbed(factors, _error(factors, moduli, rhos))


def _common_radius(balls: Sequence[BallMatrix]) -> float:
    """rho, a power of two near the largest radius relative to its array, at most 1/4."""
    relative = [np.linalg.norm(ball.rad) / np.linalg.norm(ball.mid) for ball in balls]
    largest = max((float(r) for r in relative if r < np.inf), default=0.0)
    return 2.0 ** float(np.clip(np.ceil(np.log2(max(largest, 2.0**-50))), -50, -2))


def _modulus(ball: BallMatrix, rho: float) -> Array:
    """At least |mid| + radius / rho."""
    return (np.abs(ball.mid) + ball.rad / rho) * (1.0 + gamma(4))


def _check_size(moduli: Factors) -> None:
    if not all(np.max(np.abs(array), initial=0.0) < LARGEST for array in vars(moduli).values() if array is not None):
        raise NoEnclosure("the activations overflow or exceed 2^100: no random bound")


def _error(factors: Factors, moduli: Factors, rhos: Sequence[float]) -> float:
    """The distance of the two maps, and the rounding of a product."""
    H, n, _ = moduli.weights.shape
    inside = _norm_of_nonnegative(moduli, moduli.inner, moduli.inner_transposed, (n, H, len(factors.projection) // H))
    inside *= spectral_norm(BallMatrix.exact(factors.projection)).upper
    inside *= 1.0 if factors.output is None else spectral_norm(BallMatrix.exact(factors.output)).upper
    whole = _norm_of_nonnegative(moduli, moduli.jvp, moduli.vjp, (n, moduli.query_weight.shape[2]))
    spread = float(np.prod([1.0 + rho for rho in rhos])) - 1.0 + gamma(8)
    error = (spread * inside + gamma(factors.roundings) * whole) * (1.0 + gamma(16))
    if not error < np.inf:
        raise NoEnclosure("the rounding errors of the Jacobian's products overflow: no random bound")
    return error


Product = Callable[[Array], Array]


def _norm_of_nonnegative(moduli: Factors, forward: Product, back: Product, shape: tuple[int, ...]) -> float:
    """The spectral norm of a map with moduli for entries, rounded up."""
    x = np.ones(shape)
    for _ in range(_SWEEPS):
        image = back(forward(x))
        top = image.max()
        if not 0.0 < top < np.inf:
            break
        x = np.maximum(image / top, _FLOOR)
    square = float((back(forward(x)) / x).max())
    return float(np.sqrt(square) * (1.0 + 4.0 * gamma(2 * moduli.roundings + 8)) + UNDERFLOW)
