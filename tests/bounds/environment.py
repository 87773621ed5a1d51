"""What every symbol of the notation is worth at a head or layer, in float64."""

from collections.abc import Callable, Mapping

import numpy as np

import bounds

from .head import Array, Head, Layer, LayerNorm, spectral_norm

Value = float | tuple[float, ...]
NEAR = 0.9  # a matrix this near the Jacobian has its Gram matrix bounded; the distance is the rest
BELOW, DEGREE = 0.8, 7  # the level relative to the norm, so that the leading part of a start grows; and the products
LEAST_WEIGHT = 1e-290  # its inverse is still a float


def environment(theorem: bounds.Theorem, subject: Head | Layer) -> dict[str, Value]:
    """The theorem's symbols by name. A symbol without an entry here is an error, so that no theorem escapes."""
    if isinstance(subject, Layer):
        return _of_layer(theorem, subject)
    return {str(symbol): OF_HEAD[str(symbol)](subject) for symbol in theorem.symbols}


def _of_layer(theorem: bounds.Theorem, layer: Layer) -> dict[str, Value]:
    bounded = layer.heads if any(str(symbol) == "norm_WO" for symbol in theorem.symbols) else layer.folded
    readers: dict[str, Callable[[], Value]] = {
        "H": lambda: len(layer.heads),
        "L": lambda: tuple(head.jacobian_norm for head in bounded),
        "norm_WO": lambda: spectral_norm(np.concatenate(list(layer.output), axis=1)),
        "deflated_norm": lambda: deflated_norm(NEAR * layer.jacobian),
        "distance": lambda: (1 - NEAR) * layer.jacobian_norm,
        "level": lambda: BELOW * layer.jacobian_norm,
        "growth": lambda: growth(layer.jacobian),
        "inverse_degree": lambda: 1 / DEGREE,
    }
    return {str(symbol): readers[str(symbol)]() for symbol in theorem.symbols}


def deflated_norm(M: Array) -> float:
    """The two by two Schur test for one direction, a little beside the leading one."""
    left = np.linalg.svd(M)[0]
    u = (left[:, 0] + 1e-3 * left.sum(axis=1))[:, None]
    u /= np.linalg.norm(u)
    G, rest = M @ M.T, np.eye(len(M)) - u @ u.T
    t, c, g = spectral_norm(u.T @ G @ u), spectral_norm(rest @ G @ u), spectral_norm(rest @ G @ rest)
    half_gap = (t - g) / 2
    s = max(c / (half_gap + np.hypot(half_gap, c)), 1e-9) if c > 0 else 1.0
    return max(t + s * c, g + c / s)


def growth(M: Array) -> float:
    """The recurrence from one start, in doubles, whose residuals are far below the overlap; 0 for M = 0."""
    level, right = BELOW * spectral_norm(M), np.linalg.svd(M)[2]
    if level == 0.0:
        return 0.0
    before = right[0] + 0.1 * right.sum(axis=0)
    overlap, here = abs(before @ right[0]), M @ before / level
    for step in range(1, DEGREE):
        before, here = here, 2 * (M.T if step % 2 else M) @ here / level - before
    return float(np.linalg.norm(here)) / overlap


def softmax_sensitivity(P: Array) -> float:
    """max_i p1 (1 - p1 + p2), the other weights summed so that nothing cancels."""
    ordered = np.sort(P, axis=1)[:, ::-1]
    second = ordered[:, 1] if P.shape[1] > 1 else 0.0
    return float(np.max(ordered[:, 0] * (ordered[:, 1:].sum(axis=1) + second)))


def weighted_column(head: Head) -> float:
    """max_j sum_i P_ij lambda_max(V (I + |b_i|^2 C_i) V^T)."""
    inner = np.eye(head.X.shape[1]) + np.sum(head.b**2, axis=1)[:, None, None] * head.C
    largest = np.linalg.eigvalsh(head.V @ inner @ head.V.T)[:, -1]
    return float(np.max(largest @ head.P))


def row_term(head: Head) -> float:
    """max_i lambda_max(V (I + |b_i|^2 C_i) V^T)."""
    inner = np.eye(head.X.shape[1]) + np.sum(head.b**2, axis=1)[:, None, None] * head.C
    return float(np.linalg.eigvalsh(head.V @ inner @ head.V.T).max())


def _seen(head: Head) -> Array:
    return np.ones((len(head.X), len(head.X))) if head.c is None else np.isfinite(head.c).astype(float)


def _bias_spread(head: Head) -> float:
    return 0.0 if head.c is None else float(np.max(head.c.max(axis=1) - head.c.min(axis=1)))


def schur_column(head: Head) -> float:
    """The least of three choices of weights: attention weights, block norms, block norms over their singular vector."""
    norms = np.linalg.norm(head.blocks, ord=2, axis=(2, 3))
    right = np.abs(np.linalg.svd(norms)[2][0])
    choices = (head.P, norms, norms / np.maximum(right, 1e-6 * right.max()))
    return min(_schur_column(head.blocks, weights) for weights in choices)


def _schur_column(blocks: Array, weights: Array) -> float:
    used = np.any(blocks != 0, axis=(2, 3))
    if np.any(weights[used] < LEAST_WEIGHT):
        return np.inf
    scaled = np.where(used, 1 / np.where(used, weights, 1.0), 0.0)
    rows = np.einsum("ij,ijvk,ijwk->ivw", scaled, blocks, blocks, optimize=True)
    return float(np.max(np.linalg.eigvalsh(rows)[:, -1] @ np.where(used, weights, 0.0)))


def _behind_layernorm(reader: Callable[[Head, Array, Array], Array]) -> Callable[[Head], float]:
    """The norm of a matrix or vector made of the head, Gamma Pi and beta."""

    def norm(head: Head) -> float:
        assert isinstance(head.layernorm, LayerNorm)
        d = len(head.layernorm.gamma)
        Gamma_Pi = np.diag(head.layernorm.gamma) @ (np.eye(d) - np.full((d, d), 1 / d))
        return spectral_norm(np.atleast_2d(reader(head, Gamma_Pi, head.layernorm.beta)))

    return norm


def contrast(head: Head) -> float:
    """More than max <A m + a, z - m> on the ball: R |A m| is at most R (theta |A m|^2 + 1 / theta) / 2 for any "
    "theta."""
    R = float(np.max(np.linalg.norm(head.X, axis=1)))
    gram, symmetric = head.A.T @ head.A, (head.A + head.A.T) / 2

    def at(theta: float) -> float:
        return R / (2 * theta) + R**2 * max(np.linalg.eigvalsh(R * theta / 2 * gram - symmetric)[-1], 0.0)

    scale = R * spectral_norm(head.A)
    scores = min((at(step / scale) for step in np.geomspace(0.1, 100, 301)), default=0.0) if scale > 0 else 0.0
    return scores + 2 * R * float(np.linalg.norm(head.a))


def _left_over(head: Head) -> float:
    """The largest weight that a row leaves to all tokens but its choice, summed so that nothing cancels."""
    rest = np.sort(head.P, axis=1)[:, :-1]
    return float(rest.sum(axis=1).max())


OF_HEAD: Mapping[str, Callable[[Head], float]] = {
    "n": lambda head: len(head.X),
    "d": lambda head: head.X.shape[1],
    "R": lambda head: float(np.max(np.linalg.norm(head.X, axis=1))),
    "norm_A": lambda head: spectral_norm(head.A),
    "norm_a": lambda head: float(np.linalg.norm(head.a)),
    "norm_V": lambda head: spectral_norm(head.V),
    "norm_P": lambda head: spectral_norm(head.P),
    "norm_X": lambda head: spectral_norm(head.X),
    "norm_B": lambda head: spectral_norm(head.b),
    "softmax_sensitivity": lambda head: softmax_sensitivity(head.P),
    "covariance_term": lambda head: max(spectral_norm(head.V @ C @ head.A) for C in head.C),
    "weighted_column": weighted_column,
    "contrast": contrast,
    "leak": _left_over,
    "followers": lambda head: float(np.bincount(head.P.argmax(axis=1)).max()),
    "diameter": lambda head: float(np.linalg.norm(head.X[:, None] - head.X[None], axis=2).max()),
    "largest_b": lambda head: float(np.linalg.norm(head.b, axis=1).max()),
    "row_term": row_term,
    "bias_spread": _bias_spread,
    "inverse_fewest": lambda head: float(1 / _seen(head).sum(axis=1).min()),
    "most": lambda head: float(_seen(head).sum(axis=0).max()),
    "schur_column": schur_column,
    "norm_VG": _behind_layernorm(lambda head, GP, beta: head.V @ GP),
    "norm_GA": _behind_layernorm(lambda head, GP, beta: GP.T @ head.A),
    "norm_AG": _behind_layernorm(lambda head, GP, beta: head.A @ GP),
    "norm_GAG": _behind_layernorm(lambda head, GP, beta: GP.T @ head.A @ GP),
    "norm_c": _behind_layernorm(lambda head, GP, beta: head.A @ beta + head.a),
    "norm_Gc": _behind_layernorm(lambda head, GP, beta: GP.T @ (head.A @ beta + head.a)),
}
