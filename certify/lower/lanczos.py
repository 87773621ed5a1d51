"""A witness: a direction found by Lanczos in floating point, and what the Jacobian provably does to it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from ..activations import Activations
from ..arithmetic.arb import ARB
from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array, JacobianProducts
from ..linear_map import LinearMap
from ..norms import vector_norm
from ..outcome import Bound, Guarantee

NAME = "lanczos"
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Witnessed:
    """A direction u (n, d), exactly stored, and the bound |J(X) u| / |u| rounded down."""

    direction: Array
    bound: Bound


def witness(activations: Activations) -> Witnessed:
    """A proved lower bound of |J(X)| in the l2 norm; the same input gives the same witness.

    The direction is only a suggestion, so Lanczos may stop early or fail; the quotient is enclosed afterwards.

    Raises NoEnclosure where the Jacobian overflows.
    """
    return witness_of(JacobianProducts(activations.layer, activations.X), activations.jvp)


def witness_of(products: LinearMap, enclosed: Callable[[Array], BallMatrix]) -> Witnessed:
    """The same for any Jacobian: its products in floating point, and one with an exact direction, enclosed.

    Raises NoEnclosure where the Jacobian overflows.
    """
    u = leading_direction(products)
    image = vector_norm(enclosed(u)).lower
    length = vector_norm(BallMatrix.exact(u)).upper
    quotient = 0.0 if image == 0.0 else ARB.bounds(ARB.number(image) / ARB.number(length)).lower
    return Witnessed(u, Bound(quotient, "lower", Guarantee.WITNESS, NAME))


def leading_direction(products: LinearMap) -> Array:
    """About the leading right singular vector of J, scaled to largest entry 1: (n, d), never zero."""
    start = np.random.default_rng(0).standard_normal(math.prod(products.input_shape))
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows here ends in no bound later
        u = _searched(products, start)
    if not np.isfinite(u).all() or not u.any():
        u = start
    return (u / np.abs(u).max()).reshape(products.input_shape)


def _searched(products: LinearMap, start: Array) -> Array:
    """The direction as Lanczos found it, flat; `start` where the search fails."""
    shape, size = products.input_shape, start.size

    def normal(e: Array) -> Array:
        return products.vjp(products.jvp(e.reshape(shape))).ravel()

    image = normal(start)
    if not np.isfinite(image).all() or not image.any():
        return start
    if size <= 2:  # too small for Lanczos
        columns = np.stack([normal(e) for e in np.eye(size)], axis=1)
        return np.linalg.svd(columns)[0][:, 0]
    operator = LinearOperator((size, size), matvec=normal, dtype=np.float64)  # type: ignore[call-arg]
    try:
        return eigsh(operator, k=1, v0=start, tol=_TOLERANCE)[1][:, 0]  # type: ignore[arg-type]
    except ArpackError:
        return start
