import numpy as np
import pytest

from certify.activations import Activations
from certify.arithmetic.matrices import BallMatrix
from certify.errors import NoEnclosure
from certify.gram.products import apply, apply_transposed
from certify.gram.rounded_rows import RoundedRows, rounded_rows
from tests.certify.layers import causal, dense_jacobian, random_layer


def dense(rows: RoundedRows) -> np.ndarray:
    """J^ as one matrix, from its own doubles."""
    n, H, v = rows.tokens, rows.heads, rows.value_size
    d = rows.values.shape[1]
    T = np.zeros((n, n, H, v, d))
    for i in range(n):
        for j in range(n):
            for h in range(H):
                z = rows.scaled[i, j].reshape(H, v)[h]
                T[i, j, h] = rows.weights[i, h, j] * rows.values.reshape(H, v, d)[h] + np.outer(z, rows.gradient[i, h])
        T[i, i] += rows.diagonal[i].reshape(H, v, d)
    blocks = T.reshape(n, n, H * v, d)
    if rows.output is not None:
        blocks = rows.output @ blocks
    return blocks.transpose(0, 2, 1, 3).reshape(n * rows.output_size, n * d)


CASES = [
    {},
    {"heads": 3, "v": 2, "k": 1},
    {"heads": 1, "output": False},
    {"gain": 5.0},
    {"score_bias": causal(4)},
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_rounded_jacobian_is_within_the_distance(case) -> None:
    layer = random_layer(3, **case)
    X = np.random.default_rng(0).standard_normal((4, layer.width))
    rows = rounded_rows(Activations(layer, X))
    exact = dense_jacobian(layer, X)
    gap = np.linalg.norm(dense(rows) - exact, 2)
    assert gap <= rows.distance + 1e-13 * np.linalg.norm(exact, 2)
    assert rows.distance <= 1e-10 * np.linalg.norm(exact, 2)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_products_in_balls_are_those_of_the_dense_matrix(case) -> None:
    layer = random_layer(4, **case)
    rng = np.random.default_rng(1)
    X = rng.standard_normal((4, layer.width))
    rows = rounded_rows(Activations(layer, X))
    J = dense(rows)
    for function, size, matrix in ((apply, layer.width, J), (apply_transposed, rows.output_size, J.T)):
        E = rng.standard_normal((4, size, 3))
        ball = function(rows, BallMatrix.exact(E))
        expected = (matrix @ E.reshape(4 * size, 3)).reshape(ball.shape)
        assert (np.abs(ball.mid - expected) <= ball.rad + 1e-12 * np.abs(J).sum()).all()
        assert ball.rad.max() < 1e-11 * np.abs(J).sum()


def test_activations_too_large_for_four_products_are_refused() -> None:
    layer = random_layer(5, gain=1e20)
    with pytest.raises(NoEnclosure, match="exceed"):
        rounded_rows(Activations(layer, 1e20 * np.ones((3, layer.width))))
