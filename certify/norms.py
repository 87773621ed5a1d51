"""Verified norms: upper bounds are proved upper bounds, whatever the eigenvalue code underneath returned.

LAPACK only suggests factors; what is proved comes from residuals enclosed in ball arithmetic.
"""

import numpy as np
import scipy.linalg

from .arithmetic.interval import Interval
from .arithmetic.matrices import BallMatrix, quiet
from .arithmetic.nearest import FLUSHED, SUBNORMAL, gamma, require_nearest, up
from .errors import NoEnclosure

_DENSE = 96  # up to this size the full eigendecomposition is cheap, and tighter
_BLOCK = 1 << 16  # entries worked on at a time, so that they stay in the cache
_MARGINS = (1e-11, 1e-9)  # relative room above the suggested eigenvalue, so that a Cholesky factor exists


@quiet
def euclidean_norm_upper(x: BallMatrix, axis: int | tuple[int, ...] = -1) -> np.ndarray:
    """Upper bounds, rounded up, of the Euclidean norm along the axis or axes (two of them: the Frobenius norm).

    Raises NoEnclosure where nothing is known.
    """
    return _finite(_root_sum_squares(x.upper_abs(), axis, outward=1), "a Euclidean norm")


@quiet
def vector_norm(x: BallMatrix) -> Interval:
    """The Euclidean norm of a whole array of balls, end points rounded outward; raises NoEnclosure where unknown."""
    axes = tuple(range(x.ndim))
    upper = euclidean_norm_upper(x, axes)
    return Interval(float(_root_sum_squares(x.lower_abs(), axes, outward=-1)), float(upper))


def _root_sum_squares(values: np.ndarray, axis: int | tuple[int, ...], outward: int) -> np.ndarray:
    """sqrt of the sum of squares of nonnegative doubles, rounded up (outward 1) or down (-1).

    Each slice is scaled by a power of two to [1/2, 1) first: squares do not overflow, and what underflows, below
    2m 2^-1074, is nothing beside a sum of at least 1/4. Squares, their sum in any order and the root cost gamma_{m+4}.
    """
    require_nearest()
    top = values.max(axis=axis, keepdims=True, initial=0.0)
    exponent = np.frexp(top)[1]
    terms = values.size // max(top.size, 1)
    slack = 1.0 + outward * 2.0 * gamma(terms + 4)
    root = np.sqrt(np.square(np.ldexp(values, -exponent)).sum(axis=axis) * slack) * slack
    result = np.ldexp(root, exponent.reshape(root.shape))
    moved = np.maximum(np.nextafter(result, outward * np.inf), 0.0)
    result = np.where(result < 2.0**-1021, moved, result)  # scaling back may have rounded
    return np.where(top.reshape(root.shape) == 0.0, 0.0, result)


def _finite(bounds: np.ndarray, what: str) -> np.ndarray:
    if not (bounds < np.inf).all():
        raise NoEnclosure(f"{what} overflowed or is unknown: no bound")
    return bounds


@quiet
def largest_eigenvalue_upper(matrix: BallMatrix) -> np.ndarray:
    """The largest eigenvalue of every real symmetric matrix in the balls, bounded from above, never below 0.

    Shapes: (..., k, k) -> (...). Rounded up. For any U and D, M = U D U^T + R, and lambda_max(U D U^T) is at most
    max(0, max D) |U|^2 with |U|^2 <= 1 + |U^T U - I|_F: add |R|_F. Nothing else is assumed of LAPACK's U and D.
    A symmetric matrix in the balls is its own symmetric part, so asymmetric midpoints are allowed.
    Raises NoEnclosure where nothing is known.
    """
    order = matrix.shape[-1]
    bounds = np.zeros(matrix.shape[:-2])
    flat, flat_bounds = matrix.reshape(bounds.size, order, order), bounds.reshape(-1)
    if order > _DENSE:
        flat_bounds[:] = [_largest_of_large(flat[index]) for index in range(bounds.size)]
        return bounds
    step = max(1, _BLOCK // max(1, order * order))
    for start in range(0, bounds.size if order else 0, step):
        flat_bounds[start : start + step] = _largest_in_block(flat[start : start + step])
    return flat_bounds.reshape(bounds.shape)


def _largest_in_block(matrix: BallMatrix) -> np.ndarray:
    symmetric = (matrix + matrix.T) * 0.5
    order = matrix.shape[-1]
    if not np.isfinite(symmetric.rad).all():
        raise NoEnclosure("a matrix entry overflowed or is unknown: no eigenvalue bound")
    try:
        values, vectors = np.linalg.eigh(symmetric.mid)
    except np.linalg.LinAlgError as error:
        raise NoEnclosure(f"LAPACK found no eigenvectors ({error}): no eigenvalue bound") from error
    tiny = 16.0 * order * order * FLUSHED
    transposed = vectors.swapaxes(-1, -2)
    defect = _known(transposed @ vectors) - BallMatrix.exact(np.eye(order))
    # the product's rounding: at most gamma_k |U|^T|U|, whose Frobenius norm is at most |U|_F^2
    stretch = euclidean_norm_upper(defect, (-2, -1)) + 2.0 * gamma(3 * order) * np.square(vectors).sum((-2, -1)) + tiny
    if not (stretch < 0.5).all():
        raise NoEnclosure("LAPACK's eigenvectors are far from orthogonal: no eigenvalue bound")
    residual = symmetric - _known(vectors * values[..., None, :] @ transposed)
    # here at most gamma_{k+1} |U||D||U|^T, positive semidefinite: its trace, at most 1.5 sum |D|, bounds its norm
    magnitude = np.abs(values).sum(axis=-1)
    rounding = 2.0 * gamma(2 * order + 8) * magnitude + np.where(magnitude > 0.0, tiny, 0.0)
    top = np.maximum(values.max(axis=-1), 0.0)
    return _finite(up(top + top * stretch + euclidean_norm_upper(residual, (-2, -1)) + rounding), "an eigenvalue bound")


def _largest_of_large(matrix: BallMatrix) -> float:
    """One matrix too large for all its eigenvectors: a Cholesky factor of level I - M proves the midpoint's bound."""
    symmetric = (matrix + matrix.T) * 0.5
    if not np.isfinite(symmetric.rad).all():
        raise NoEnclosure("a matrix entry overflowed or is unknown: no eigenvalue bound")
    suggested, _ = _top_pair(symmetric.mid)
    upper = _eigenvalue_upper(symmetric.mid, max(suggested, 0.0)) + _nonnegative_norm_upper(symmetric.rad)
    return float(_finite(np.nextafter(upper, np.inf), "an eigenvalue bound"))


def _known(array: np.ndarray) -> BallMatrix:
    """An array as it came out, which may contain overflow or nan: those become "no information"."""
    return BallMatrix(array, np.zeros_like(array))


@quiet
def spectral_norm(matrix: BallMatrix) -> Interval:
    """An enclosure of the spectral norm of every real matrix in the balls, end points rounded outward.

    Raises NoEnclosure where nothing is known, or ValueError unless the matrix has two axes.
    """
    if matrix.ndim != 2:
        raise ValueError(f"a spectral norm needs a matrix, not an array of shape {matrix.shape}")
    if not matrix.mid.any() and matrix.is_exact:
        return Interval.point(0.0)
    scaled, exponent = _scaled(matrix)
    wide = scaled if scaled.shape[0] <= scaled.shape[1] else scaled.T
    spread = _nonnegative_norm_upper(wide.rad)
    lower, upper = _midpoint_norm(wide.mid)
    lower = max(float(np.nextafter(lower - spread, -np.inf)) if spread else lower, 0.0)
    upper = float(np.nextafter(upper + spread, np.inf)) if spread else upper
    return Interval(_rescaled(lower, exponent, -np.inf), _rescaled(upper, exponent, np.inf))


def _scaled(matrix: BallMatrix) -> tuple[BallMatrix, int]:
    """The matrix over a power of two, greatest modulus in [1/2, 1]; entries that underflow get a radius."""
    top = matrix.upper_abs().max()
    if not top < np.inf:
        raise NoEnclosure("a matrix entry overflowed or is unknown: no spectral norm")
    exponent = int(np.frexp(top)[1])
    mid, rad = np.ldexp(matrix.mid, -exponent), np.ldexp(matrix.rad, -exponent)
    rounded = (np.ldexp(mid, exponent) != matrix.mid) | (np.ldexp(rad, exponent) != matrix.rad)
    return BallMatrix(mid, np.where(rounded, rad + 2.0 * SUBNORMAL, rad)), exponent


def _rescaled(value: float, exponent: int, direction: float) -> float:
    result = float(np.ldexp(value, exponent))
    return max(float(np.nextafter(result, direction)), 0.0) if value > 0.0 and result < 2.0**-1021 else result


def _nonnegative_norm_upper(rad: np.ndarray) -> float:
    """Upper bound of the spectral norm of a nonnegative matrix: min(Frobenius, sqrt(norm_1 norm_inf)), rounded up."""
    if not rad.any():
        return 0.0
    columns, rows = rad.sum(axis=0).max(), rad.sum(axis=1).max()
    slack = 1.0 + 2.0 * gamma(sum(rad.shape) + 8)
    frobenius = euclidean_norm_upper(BallMatrix(rad, np.zeros_like(rad)), (0, 1))
    return float(min(frobenius, np.sqrt(columns) * np.sqrt(rows) * slack + SUBNORMAL))


def _midpoint_norm(matrix: np.ndarray) -> tuple[float, float]:
    """Bounds of |W| for doubles of modulus at most 1, rows no more than columns.

    The Gram matrix G = fl(W W^T) is off by E with |E_ij| <= gamma_k (|W||W|^T)_ij + (underflow), a symmetric bound: its
    largest row sum bounds |E|. The larger of G_ij and G_ji is as good as either, and symmetric.
    """
    size, inner = np.abs(matrix), matrix.shape[1]
    gram = matrix @ matrix.T
    gram = np.maximum(gram, gram.T)
    row_sums = size @ (size.T @ np.ones(len(matrix)))
    slack = 1.0 + 2.0 * gamma(inner + len(matrix) + 8)
    error = gamma(inner) * float(row_sums.max()) * slack + 8.0 * inner * len(matrix) * FLUSHED
    suggested, vector = _top_pair(gram)
    upper = _eigenvalue_upper(gram, suggested)
    return _stretch(matrix, vector), float(np.nextafter(np.sqrt(np.nextafter(upper + error, np.inf)), np.inf))


def _stretch(matrix: np.ndarray, vector: np.ndarray) -> float:
    """Lower bound of |W^T v| / |v|, rounded down: every vector proves one."""
    vector = np.nan_to_num(vector)
    image = BallMatrix.exact(matrix.T) @ BallMatrix.exact(vector[:, None])
    length = vector_norm(BallMatrix.exact(vector)).upper
    return float(np.nextafter(vector_norm(image).lower / length, -np.inf)) if length > 0.0 else 0.0


def _top_pair(gram: np.ndarray) -> tuple[float, np.ndarray]:
    """Suggested largest eigenvalue and eigenvector. Not by Lanczos: clustered singular values would make it crawl.

    LAPACK's search for one pair may return none where all eigenvalues coincide: then all pairs are computed.
    """
    last = len(gram) - 1
    try:
        values, vectors = scipy.linalg.eigh(gram, subset_by_index=[last, last], check_finite=False)
        if values.size == 0:
            values, vectors = np.linalg.eigh(gram)
    except np.linalg.LinAlgError as error:
        raise NoEnclosure(f"LAPACK found no largest eigenvalue ({error}): no spectral norm") from error
    return float(values[-1]), vectors[:, -1]


def _eigenvalue_upper(gram: np.ndarray, suggested: float) -> float:
    """Proved upper bound of lambda_max of a symmetric matrix of doubles."""
    for margin in _MARGINS if len(gram) > _DENSE else ():
        bound = cholesky_upper(gram, suggested * (1.0 + margin))
        if bound is not None:
            return bound
    return float(_largest_in_block(BallMatrix.exact(gram[None]))[0])


def cholesky_upper(gram: np.ndarray, level: float) -> float | None:
    """level + |level I - G - F F^T|_inf for a floating-point Cholesky factor F, rounded up; None if there is none.

    F F^T is positive semidefinite for every F, so G <= level I + (residual). Only the residual is trusted: unlike the
    a-priori bound of Rump (BIT 2006) this assumes nothing about how the factor was found.
    """
    shifted = -gram
    shifted[np.diag_indices_from(shifted)] += level
    try:
        factor = np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return None
    order, size = len(gram), np.abs(factor)
    residual = factor @ factor.T + gram
    residual[np.diag_indices_from(residual)] -= level
    sums = np.abs(residual).sum(axis=1)
    # roundings: the product, then the two sums of each entry, then the row sum
    rounding = gamma(order + 4) * (size @ (size.T @ np.ones(order)) + np.abs(gram).sum(axis=1) + level)
    slack = 1.0 + 2.0 * gamma(3 * order + 16)
    excess = float((sums + rounding).max()) * slack + 8.0 * order * order * FLUSHED
    bound = float(np.nextafter(level + excess, np.inf))
    return bound if bound < np.inf else None
