from fractions import Fraction

import numpy as np
import pytest

from certify.gram.schatten import frobenius, spectral_upper


@pytest.mark.parametrize("squarings", range(5))
def test_never_below_the_spectral_norm_and_close_for_many_squarings(squarings: int) -> None:
    rng = np.random.default_rng(squarings)
    blocks = rng.standard_normal((50, 6, 9)) * 10.0 ** rng.integers(-100, 100, (50, 1, 1))
    blocks[0] = 0.0
    blocks[1] = np.outer(np.ones(6), np.ones(9))
    exact = np.linalg.norm(blocks, 2, axis=(1, 2))
    found = spectral_upper(blocks, squarings)
    assert (found >= exact * (1 - 1e-14)).all()
    assert (found <= exact * 6 ** (0.5 ** (squarings + 1)) * (1 + 1e-9) + 1e-140).all()


def test_rank_one_is_sharp() -> None:
    assert spectral_upper(np.ones((1, 4, 4)), 3)[0] == pytest.approx(4.0, rel=1e-12)


def test_an_orthogonal_block_of_known_norm_is_never_undercut() -> None:
    """The norm of this matrix is 5 exactly, so that the last bit counts."""
    block = np.array([[[3.0, 4.0], [-4.0, 3.0]]])
    assert all(spectral_upper(block, s)[0] >= 5.0 for s in range(6))


def test_the_frobenius_norm_against_rationals() -> None:
    blocks = np.random.default_rng(0).standard_normal((20, 5, 3)) * 2.0 ** np.arange(-200, 200, 20)[:, None, None]
    for block, bound in zip(blocks, frobenius(blocks), strict=True):
        assert sum(Fraction(x) ** 2 for x in block.ravel()) <= Fraction(bound) ** 2


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_overflow_is_no_number(bad: float) -> None:
    found = spectral_upper(np.full((1, 3, 3), bad), 1)[0]
    assert not found < 1e300
