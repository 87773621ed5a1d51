"""The spectral norm of a Jacobian to many digits: its leading directions taken out, the rest bounded pair by pair.

Let G = J^ J^^T, U any real matrix of outputs (here the eigenvectors found, as doubles) and Theta any diagonal. For
x = U a + y with y orthogonal to U,  x^T G x = |J^^T U a|^2 + 2 <(G U - U Theta) a, y> + y^T (G - U Theta U^T) y, so

    lambda_max(G) <= the largest eigenvalue of [[top, coupling], [coupling, remainder]]
                  <= max(top + s coupling, remainder + coupling / s) for every s > 0,
    top = |J^^T U|^2 / (1 - delta),  coupling = |G U - U Theta| / sqrt(1 - delta),  delta = |U^T U - I|,
    remainder = |[ |G_ii' - U_i Theta U_i'^T| ]_ii'|, the norm of the matrix of block norms.

Where the roundings go: J^^T U, G U and U^T U are balls; each block carries its a-priori error in the Frobenius norm
(`blocks`), to which the deflation adds its own, and each block norm is a Schatten norm rounded up
(`schatten`). |J - J^| is the theorem's `distance`.
"""

from dataclasses import dataclass

import numpy as np

from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..linear_map import LinearMap
from ..memory import DIRECTIONS
from ..method import Enclosed
from ..norms import euclidean_norm_upper, largest_eigenvalue_upper
from .directions import leading_outputs
from .rounded_map import Mapper, RoundedMap, Tokens
from .schatten import frobenius, spectral_upper

_COUNTS = (DIRECTIONS, 160, 400)  # directions tried, in this order, until the remainder is below the top
_PROMISING = 0.4  # last eigenvalue over first: above it the blocks of what is left would add up to more than the top
_CHUNK = 1 << 21  # entries of one stack of blocks
_COLUMNS = 1 << 20  # entries of one product with several directions


@dataclass(frozen=True)
class Deflated:
    """What the theorem `local-deflation` is made of, rounded up, and how many directions were taken out."""

    top: float
    coupling: float
    remainder: float
    distance: float
    count: int

    @property
    def converged(self) -> bool:
        """Whether the remainder is below the top: then the bound is the norm itself but for the coupling."""
        return self.remainder < self.top

    @property
    def norm(self) -> float:
        """max(top + s coupling, remainder + coupling / s), rounded up, at the s that is best in floating point."""
        half_gap, c = 0.5 * (self.top - self.remainder), self.coupling
        root = float(np.hypot(half_gap, c))
        s = c / (root + half_gap) if half_gap > 0.0 else (root - half_gap) / max(c, 2.0**-900)
        s = s if 2.0**-200 < s < 2.0**200 else 1.0
        rows = max(self.top + s * self.coupling, self.remainder + self.coupling / s)
        return float(np.nextafter(rows * (1.0 + gamma(4)), np.inf))

    def enclosed(self) -> Enclosed:
        """The theorem's symbols. Raises NoEnclosure where a number overflowed."""
        norm, distance = self.norm, self.distance
        if not (norm < np.inf and distance < np.inf):
            raise NoEnclosure("the Gram matrix of the Jacobian overflows: no deflation")
        return Enclosed({"deflated_norm": Interval.point(norm), "distance": Interval.point(distance)})


def deflate(J: RoundedMap, products: LinearMap, each: Mapper) -> Deflated:
    """More and more directions until the remainder is below the top; `each` maps the tokens, for instance over threads.

    Directions are found with `products`, which are about those of J; the proof is about J alone.
    Raises NoEnclosure where a number overflows.
    """
    for count in _COUNTS:
        theta, U = leading_outputs(products, count)
        last = count == _COUNTS[-1] or len(theta) < count
        if not last and theta[0] > _PROMISING * theta[-1]:
            continue  # a pass over all pairs would be in vain
        found = deflated(J, theta, U, each)
        if last or found.converged:
            return found
    raise AssertionError("the last count always returns")


@quiet
def deflated(J: RoundedMap, theta: Array, U: Array, each: Mapper) -> Deflated:
    """The same for given directions U (n, d_out, r) and eigenvalues theta (r,), which may be anything."""
    top, coupling = _leading(J, theta, U)
    norms = np.zeros((J.tokens, J.tokens))
    for i, row in enumerate(each(lambda i: _remainder_norms(J, theta, U, i), range(J.tokens))):
        norms[i, i:] = norms[i:, i] = row
    remainder = float(largest_eigenvalue_upper(BallMatrix(norms, np.zeros_like(norms))))
    return Deflated(top, coupling, remainder, J.distance, U.shape[2])


def _leading(J: RoundedMap, theta: Array, U: Array) -> tuple[float, float]:
    """top and coupling."""
    n, d_out, r = U.shape
    if r == 0:
        return 0.0, 0.0
    flat = BallMatrix.exact(U.reshape(n * d_out, r))
    delta = float(euclidean_norm_upper(flat.T @ flat - BallMatrix.exact(np.eye(r)), (0, 1)))
    if not delta < 0.5:
        raise NoEnclosure("the directions found are far from orthogonal")
    images, residuals = [], []
    step = max(1, _COLUMNS // J.column_entries)
    for start in range(0, r, step):  # a few directions at a time, to spare memory
        part = BallMatrix.exact(U[:, :, start : start + step])
        image = J.apply_transposed(part)
        residual = J.apply(image) - part * BallMatrix.exact(theta[start : start + step])
        images.append(image.reshape(-1, image.shape[2]))
        residuals.append(euclidean_norm_upper(residual.reshape(-1, image.shape[2]), (0, 1)))
    image = BallMatrix(np.concatenate([i.mid for i in images], 1), np.concatenate([i.rad for i in images], 1))
    stretch = 1.0 + 2.0 * delta  # at least 1 / (1 - delta)
    top = float(largest_eigenvalue_upper(image.T @ image)) * stretch
    coupling = float(np.sqrt(np.square(residuals).sum())) * (1.0 + gamma(r + 8)) * stretch
    return float(np.nextafter(top * (1 + gamma(4)), np.inf)), float(np.nextafter(coupling * (1 + gamma(4)), np.inf))


def _remainder_norms(J: RoundedMap, theta: Array, U: Array, i: int) -> Array:
    """At least |G_ii' - U_i Theta U_i'^T| for i' = i, ..., n-1."""
    step = max(1, _CHUNK // J.block_entries)
    parts = [_norms(J, theta, U, i, np.arange(s, min(s + step, J.tokens))) for s in range(i, J.tokens, step)]
    return np.concatenate(parts)


def _norms(J: RoundedMap, theta: Array, U: Array, i: int, others: Tokens) -> Array:
    """The Schatten 4 norm of the computed block M, plus all that M is off by."""
    M, error = J.gram(i, others)
    left, right = U[i] * theta, U[others].mT
    M -= left @ right
    deflation = frobenius(left[None]) * frobenius(right)
    size = frobenius(M)
    # M's last subtraction rounds once more, at most by the sizes of what it subtracts
    error += gamma(len(theta) + 4) * deflation + gamma(2) * (size + deflation)
    return (spectral_upper(M, 1) + error) * (1.0 + gamma(16))
