"""Where lower bounds are put to the test: maps A and V, a ball and a number of tokens, and what is attained there.

A lower bound that holds stays below the largest Jacobian norm found; one that claims too much exceeds a proved upper
bound of the same family.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from .head import Head, causal_mask
from .subject import Array

WITHOUT_TOKENS = 400  # as many as it takes for the mean-field limit, with two clusters in place of all tokens


@dataclass(frozen=True, eq=False)
class Family:
    """Softmax heads on the tokens of a ball: the symbols' numbers, the norm at two clusters, the hypotheses met."""

    numbers: Mapping[str, float]
    attained: float
    hypotheses: frozenset[str] = field(default_factory=frozenset)


def two_clusters(n: int, k: int, eigenvalue: float, R: float, V: float) -> tuple[Array, Array, Array]:
    """Weight p of the moved cluster of k tokens in a row of the others, at the places that pull apart most."""
    moved, others = (R, R / 2) if eigenvalue > 0 else (R, -R)
    X = np.full((n, 1), others)
    X[:k] = moved
    return X, np.array([[eigenvalue]]), np.array([[V]])


def _largest_norm(n: int, k: int, eigenvalue: float, R: float, V: float) -> float:
    X, A, value_map = two_clusters(n, k, eigenvalue, R, V)
    return Head(X, A, value_map, np.zeros(1)).jacobian_norm


def families() -> Iterator[Family]:
    """Eigenvalues of both signs, few tokens and many, every size of cluster up to half of them; and masks."""
    for eigenvalue in (0.0, -0.3, -1.0, -4.0, 2.0, 12.0):
        for R, V in ((1.0, 1.0), (0.5, 3.0)):
            for n in (2, 7, 60):
                for k in {1, 2, n // 2} & set(range(1, n)):
                    yield _family(n, k, eigenvalue, R, V)
    for n in (1, 5):
        alone = Head(np.full((n, 2), 1e-9), np.zeros((2, 2)), np.diag([2.0, 1.0]), np.zeros(2), causal_mask(n))
        yield Family({"norm_V": 2.0, "n": n, "R": 1.0, "norm_A": 0.0, "norm_a": 0.0}, alone.jacobian_norm, _MASKED)
    for eigenvalue, n in ((-2.0, 3000), (-4.0, 3000), (-6.0, 200_000)):
        for k in (1, round(n / (1 + np.exp(-2 * eigenvalue))), n // 2):
            yield _family(n, k, eigenvalue, 1.0, 1.0)


_UNMASKED = frozenset({"unmasked", "no-query-bias", "mask-only", "finite-constants"})
_MASKED = frozenset({"no-query-bias", "mask-only", "causal"})


def _family(n: int, k: int, eigenvalue: float, R: float, V: float) -> Family:
    numbers = {
        "n": n,
        "cluster": k,
        "R": R,
        "norm_A": abs(eigenvalue),
        "norm_a": 0.0,
        "norm_V": V,
        "norm_Vu": V,
        "gamma_real": max(-eigenvalue, eigenvalue / 8),
        "attained_contrast": 2 * R**2 * max(-eigenvalue, eigenvalue / 8),
        "norm_Vz": V,
        "inverse_fewest": 1 / n,
        "most": n,
        "bias_spread": 0.0,
    }
    two = _largest_norm if n <= WITHOUT_TOKENS else _reduced
    return Family(numbers, max(V, two(n, k, eigenvalue, R, V)), _UNMASKED)  # V by equal tokens


def _reduced(n: int, k: int, eigenvalue: float, R: float, V: float) -> float:
    """The norm on changes that are the same within each cluster: a matrix of two rows in an orthonormal basis."""
    X, A, _ = two_clusters(2, 1, eigenvalue, R, V)
    sizes = np.array([k, n - k])
    x = X[:, 0]
    weights = np.exp(A[0, 0] * np.outer(x, x)) * sizes
    P = weights / weights.sum(axis=1, keepdims=True)
    m = P @ x
    J = P * (1 + (x[None] - m[:, None]) * (A[0, 0] * x)[:, None])
    J += np.diag(A[0, 0] * (P @ x**2 - m**2))
    roots = np.sqrt(sizes)
    return float(np.linalg.norm(V * J * roots[:, None] / roots[None], ord=2))
