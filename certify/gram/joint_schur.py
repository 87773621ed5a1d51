"""The weighted block Schur test for all heads together, output projection included: the closed form of the fast tier.

Row i contributes lam_i = lambda_max(sum_j r_ij^2 B_ij B_ij^T) with B_ij = W_O T_ij; heads meet there with their signs,
which bounds head by head lose. The weights r come from the heads' block norms as if their outputs never cancelled; any
positive weights prove a bound.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..arithmetic.interval import Interval
from ..arithmetic.matrices import quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..method import Enclosed
from ..schur_weights import perron_weights
from ..upper.local_schur import schur_column
from .rounded_rows import RoundedRows, spread
from .schatten import frobenius, spectral_upper

Mapper = Callable[[Callable[[int], float], Sequence[int]], Sequence[float]]
_SQUARINGS = 3


def joint_schur(rows: RoundedRows, seen: np.ndarray, each: Mapper) -> Enclosed:
    """schur_column of the whole map; `seen` (n, n) says which blocks can be other than zero.

    `each` maps the tokens, for instance over threads. Raises NoEnclosure where a number overflows.
    """
    r = _weights(rows, seen)
    lam = np.array(each(lambda i: row_eigenvalue(rows, i, r[i]), range(rows.tokens)))
    return Enclosed({"schur_column": Interval.point(schur_column(lam, r))}, hints={"lam": lam, "r": r})


@quiet
def row_eigenvalue(rows: RoundedRows, i: int, r: Array) -> float:
    """At least lambda_max(sum_j r_j^2 B_ij B_ij^T) for the true Jacobian and one row r (n,), rounded up.

    The computed matrix K of the values has the error gamma_{n+d+24} tau^2 (see `blocks`), tau the weighted size of row
    i, and W_O K W_O^T another gamma_{2 H v} |W_O|_F^2 |K|_F; what the true row is off by is added to the root.
    """
    K, size = _row_gram(rows, i, r)
    error = gamma(rows.tokens + rows.values.shape[1] + 24) * size**2 + 2.0**-500
    if rows.output is not None:
        W = rows.output
        rounding = gamma(2 * W.shape[1] + 8) * frobenius(W[None])[0] ** 2 * frobenius(K[None])[0]
        error = rows.output_norm**2 * error + rounding + 2.0**-500
        K = W @ K @ W.T
    root = np.sqrt(spectral_upper(K[None], _SQUARINGS)[0] + error * (1.0 + gamma(16)))
    root += rows.output_norm * np.sqrt(np.square(r * rows.block_distance[i]).sum())
    lam = float(root**2 * (1.0 + gamma(4 * rows.tokens + 64)) + 2.0**-900)
    if not lam < np.inf:
        raise NoEnclosure("a row of the Jacobian overflows: no Schur bound")
    return lam


def _row_gram(rows: RoundedRows, i: int, r: Array) -> tuple[Array, float]:
    """sum_j r_j^2 T_ij T_ij^T (H v, H v) and tau, the Frobenius norm of the row with moduli in place of its terms."""
    H, v = rows.heads, rows.value_size
    others = np.where(np.arange(rows.tokens) == i, 0.0, r)
    P, z, b = rows.weights[i] * others, rows.scaled[i] * others[:, None], rows.gradient[i]
    K = spread(P @ P.T, v) * rows.value_gram
    K += spread(b @ b.T, v) * (z.T @ z)
    t = (z.T @ P.T).reshape(H, v, H, 1)
    cross = (t * rows.value_gradient[i].reshape(H, 1, H, v)).reshape(H * v, H * v)
    here = rows.own_block(i) * r[i]
    K += cross + cross.T + here @ here.T
    size = np.sqrt(np.square(rows.block_sizes[i] * r).sum()) + rows.diagonal_sizes[i] * r[i]
    return K, float(size * (1.0 + gamma(rows.tokens * H + 16)))


def _weights(rows: RoundedRows, seen: np.ndarray) -> Array:
    """r_ij for block norms (sum_h |W_h|^2 |T^h_ij|^2)^(1/2), in floating point."""
    n, H, v = rows.tokens, rows.heads, rows.value_size
    W = np.eye(H * v) if rows.output is None else rows.output
    gain = np.linalg.norm(W.reshape(-1, H, v).transpose(1, 0, 2), 2, axis=(1, 2)) ** 2
    value = np.linalg.norm(rows.values.reshape(H, v, -1), 2, axis=(1, 2)) ** 2
    z = np.square(rows.scaled.reshape(n, n, H, v)).sum(-1).transpose(0, 2, 1)
    square = rows.weights**2 * value[:, None] + z * np.square(rows.gradient).sum(-1)[..., None]
    total = (square * gain[:, None]).sum(1)
    total[np.diag_indices(n)] = [_own_squares(rows, i) @ gain for i in range(n)]
    return perron_weights(np.sqrt(total), seen)


def _own_squares(rows: RoundedRows, i: int) -> Array:
    """About |T^h_ii|^2 for every head: the Schatten 4 norm, squared."""
    own = rows.own_block(i).reshape(rows.heads, rows.value_size, -1)
    return np.linalg.norm(own @ own.mT, axis=(1, 2))


def seen_pairs(visible: np.ndarray | None, n: int) -> np.ndarray:
    """Which blocks of the whole Jacobian can be other than zero: (n, n), the diagonal among them."""
    if visible is None:
        return np.ones((n, n), dtype=bool)
    return (visible if visible.ndim == 2 else visible.any(0)) | np.eye(n, dtype=bool)
