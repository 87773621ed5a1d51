"""Packed products equal plain ones."""

import random

import pytest

from certify.checker.integers import Matrix, largest, pack, product, transpose, unpack


def plain(left: Matrix, right: Matrix) -> Matrix:
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]


@pytest.mark.parametrize("bits", [1, 7, 8, 9, 31, 64, 200])
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 5, 3), (4, 1, 4), (1, 16, 7), (7, 8, 1)])
def test_product(bits: int, shape: tuple[int, int, int]) -> None:
    rng = random.Random(bits)
    m, p, q = shape
    top = 2**bits
    for extreme in (False, True):
        left = [[rng.choice((-top, top)) if extreme else rng.randint(-top, top) for _ in range(p)] for _ in range(m)]
        right = [[rng.choice((-top, top)) if extreme else rng.randint(-top, top) for _ in range(q)] for _ in range(p)]
        assert product(left, right) == plain(left, right)


def test_product_of_zeros() -> None:
    assert product([[0, 0]], [[0], [0]]) == [[0]]
    assert product([[0, 0]], [[5], [-5]]) == [[0]]


def test_pack_is_undone() -> None:
    row = [-128, 127, 0, -1, 1]
    assert unpack(pack(row, 1), 5, 1) == row
    with pytest.raises(OverflowError):
        pack([128], 1)


def test_small_words() -> None:
    assert transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]
    assert largest([[1, -7], [3, 4]]) == 7
