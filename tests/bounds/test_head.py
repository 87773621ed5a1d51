"""The numpy head that adversaries are made of: its Jacobian against complex differentiation of its own map."""

from typing import Any

import numpy as np
import pytest

from .adversaries import adversaries
from .head import Array, Head, forward, spectral_norm


def derivative(head: Head) -> Array:
    """Column by column by a complex step, exact to rounding."""
    step = 1e-30
    columns: list[Any] = []
    for place in np.ndindex(head.X.shape):
        X: Any = head.X.astype(complex)
        X[place] += 1j * step
        columns.append(np.imag(forward(head, X)).ravel() / step)
    return np.stack(columns, axis=1)


SMALL = [
    (name, head)
    for name, heads in adversaries().items()
    for head in heads
    if isinstance(head, Head) and head.X.size <= 64 and name != "extreme_scales"
]


@pytest.mark.parametrize(("name", "head"), SMALL, ids=lambda x: x if isinstance(x, str) else "")
def test_the_jacobian_is_the_derivative(name: str, head: Head) -> None:
    expected = derivative(head)
    np.testing.assert_allclose(head.jacobian, expected, rtol=0, atol=1e-11 * max(1.0, np.abs(expected).max()))


def test_spectral_norms_far_from_one() -> None:
    for size in (1e-200, 1.0, 1e200):
        assert spectral_norm(size * np.array([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])) == pytest.approx(4 * size)
    assert spectral_norm(np.zeros((2, 3))) == 0.0
