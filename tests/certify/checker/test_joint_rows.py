"""The block rows of all heads are those of the Jacobian, within the counted error, in few places and in many."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from certify.checker.joint_rows import JointRows
from certify.checker.reproof import Reproof

from .small import HeadNumbers, Model, certificate

MODELS = (
    Model(),
    Model(seed=1, n=1, d=4, heads=2, k=2),
    Model(seed=2, n=5, d=8, heads=1, k=3),
    Model(seed=3, n=3, d=7, heads=4, k=2),
)


def stacked_blocks(model: Model) -> np.ndarray:
    """Of all heads one above the other, before W_O: (n, n, H k, d)."""
    heads = [HeadNumbers(model, head).jacobian for head in range(model.heads)]
    shape = (model.n, model.k, model.n, model.d)
    return np.concatenate([J.reshape(shape).transpose(0, 2, 1, 3) for J in heads], axis=2)


@pytest.mark.parametrize("places", [40, 60, 112])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_row_is_the_sum_of_the_squares_of_its_blocks(model: Model, places: int, tmp_path: Path) -> None:
    model.save(tmp_path)
    reproof = Reproof(certificate(model), model.tokens.tolist(), tmp_path)
    rows = JointRows(reproof.heads, places)
    r = np.exp(np.random.default_rng(4).standard_normal((model.n, model.n))).astype(np.float32).astype(float)
    T = stacked_blocks(model)
    for i in rows.tokens:
        expected = np.einsum("jvd,jwd,j->vw", T[i], T[i], r[i] ** 2)
        M = rows.square(i, [Fraction(x) for x in r[i]])
        error = M.error / 4.0**places
        assert error < 2.0 ** (20 - places)
        for c, row in enumerate(M.rows):
            got = [entry / 4**places for entry in row]
            np.testing.assert_allclose(got, expected[c, c:], rtol=1e-12, atol=error + 1e-13)
