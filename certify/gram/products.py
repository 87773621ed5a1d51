"""The Jacobian of doubles and its transpose, applied to several vectors at once in balls."""

import numpy as np

from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array
from .rounded_rows import RoundedRows

_TOKENS = 2


def apply(rows: RoundedRows, vectors: BallMatrix) -> BallMatrix:
    """J^ applied to r inputs: (n, d, r) -> (n, d_out, r)."""
    total = apply_heads(rows, vectors)
    return total if rows.output is None else BallMatrix.exact(rows.output) @ total


def apply_heads(rows: RoundedRows, vectors: BallMatrix) -> BallMatrix:
    """The same before W_O: (n, d, r) -> (n, H v, r).

    Head h of row i is V_h sum_j P_ij e_j + sum_j z_ij <b_i, e_j> + D_i e_i.
    """
    n, H, v = rows.tokens, rows.heads, rows.value_size
    d, r = vectors.shape[1:]
    value = _transposed((BallMatrix.exact(rows.values) @ vectors).reshape(n, H, v, r), (1, 0, 2, 3))
    weights = BallMatrix.exact(rows.weights.transpose(1, 0, 2))  # (H, n_i, n_j)
    mean = _transposed((weights @ value.reshape(H, n, v * r)).reshape(H, n, v, r), (1, 0, 2, 3))
    slopes = BallMatrix.exact(rows.gradient.reshape(n * H, d)) @ vectors  # (n_j, n_i H, r)
    slopes = _transposed(slopes.reshape(n, n, H, r), (1, 2, 0, 3))  # (n_i, H, n_j, r)
    z = BallMatrix.exact(rows.scaled.reshape(n, n, H, v).transpose(0, 2, 3, 1))  # (n_i, H, v, n_j)
    heads = mean + z @ slopes
    return heads.reshape(n, H * v, r) + token_by_token(rows.diagonal, vectors)


def apply_transposed(rows: RoundedRows, vectors: BallMatrix) -> BallMatrix:
    """J^T applied to r outputs: (n, d_out, r) -> (n, d, r)."""
    return apply_heads_transposed(rows, vectors if rows.output is None else BallMatrix.exact(rows.output.T) @ vectors)


def apply_heads_transposed(rows: RoundedRows, g: BallMatrix) -> BallMatrix:
    """The same before W_O: (n, H v, r) -> (n, d, r).

    Column j is sum_h V_h^T sum_i P_ij g_i + sum_i b_i <z_ij, g_i> + D_j^T g_j with g = W_O^T times the output.
    """
    n, H, v, r = rows.tokens, rows.heads, rows.value_size, g.shape[2]
    by_head = _transposed(g.reshape(n, H, v, r), (1, 0, 2, 3))  # (H, n_i, v, r)
    weights = BallMatrix.exact(rows.weights.transpose(1, 2, 0))  # (H, n_j, n_i)
    sums = (weights @ by_head.reshape(H, n, v * r)).reshape(H, n, v, r)
    first = BallMatrix.exact(rows.values.T) @ _transposed(sums, (1, 0, 2, 3)).reshape(n, H * v, r)
    z = BallMatrix.exact(rows.scaled.reshape(n, n, H, v).transpose(2, 0, 1, 3))  # (H, n_i, n_j, v)
    slopes = _transposed(z @ by_head, (2, 1, 0, 3)).reshape(n, n * H, r)  # (n_j, n_i H, r)
    second = BallMatrix.exact(rows.gradient.reshape(n * H, -1).T) @ slopes
    return first + second + token_by_token(rows.diagonal.mT, g)


def token_by_token(matrices: Array, vectors: BallMatrix) -> BallMatrix:
    """One exact matrix (k, l) a token times its own vectors (l, r), a few tokens at a time: balls double the memory."""
    starts = range(0, len(matrices), _TOKENS)
    parts = [BallMatrix.exact(matrices[s : s + _TOKENS]) @ vectors[s : s + _TOKENS] for s in starts]
    return BallMatrix(np.concatenate([p.mid for p in parts]), np.concatenate([p.rad for p in parts]))


def _transposed(x: BallMatrix, axes: tuple[int, ...]) -> BallMatrix:
    return BallMatrix(np.ascontiguousarray(x.mid.transpose(axes)), np.ascontiguousarray(x.rad.transpose(axes)))
