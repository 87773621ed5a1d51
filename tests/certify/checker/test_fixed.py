"""The counted error of fixed-point matrices holds against exact rationals, at random and at its worst."""

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from certify.checker.exact import Exact
from certify.checker.fixed import ONE, Fixed, beside, fixed, root, stacked, symmetric

Rationals = list[list[Fraction]]


def drawn(shape: tuple[int, int], rng: random.Random, error: int, size: int = 3) -> tuple[Fixed, Rationals]:
    """Rows, and a true matrix at the very edge of their error."""
    rows = [[rng.randint(-size * ONE, size * ONE) for _ in range(shape[1])] for _ in range(shape[0])]
    true = [[Fraction(entry + rng.choice((-error, error)), ONE) for entry in row] for row in rows]
    return Fixed(rows, error), true


def assert_encloses(result: Fixed, true: Rationals) -> None:
    for row, expected in zip(result.rows, true, strict=True):
        for entry, value in zip(row, expected, strict=True):
            assert abs(value * ONE - entry) <= result.error


def product(a: Rationals, b: Rationals) -> Rationals:
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in zip(*b, strict=True)]
        for row in a
    ]


@pytest.mark.parametrize("error", [0, 1, 2**40, ONE // 3])
def test_product(error: int) -> None:
    rng = random.Random(error)
    for shape in ((1, 1, 1), (3, 4, 2), (2, 9, 5)):
        a, true_a = drawn(shape[:2], rng, error)
        b, true_b = drawn(shape[1:], rng, error // 2)
        assert_encloses(a @ b, product(true_a, true_b))


@pytest.mark.parametrize("error", [0, 1, 2**40, ONE // 3])
@pytest.mark.parametrize("shape", [(3, 4), (3, 1), (1, 4), (1, 1)])
def test_times(error: int, shape: tuple[int, int]) -> None:
    rng = random.Random(error)
    a, true_a = drawn((3, 4), rng, error)
    b, true_b = drawn(shape, rng, error)
    expected = [
        [true_a[i][j] * true_b[i if shape[0] > 1 else 0][j if shape[1] > 1 else 0] for j in range(4)] for i in range(3)
    ]
    assert_encloses(a.times(b), expected)


@pytest.mark.parametrize("sign", [1, -1])
def test_sums(sign: int) -> None:
    rng = random.Random(5)
    a, true_a = drawn((3, 4), rng, 17)
    b, true_b = drawn((3, 4), rng, 5)
    expected = [[x + sign * y for x, y in zip(*pair, strict=True)] for pair in zip(true_a, true_b, strict=True)]
    assert_encloses(a + b if sign == 1 else a - b, expected)
    assert_encloses(a.row_sums(), [[sum(row, Fraction(0))] for row in true_a])


def test_shapes() -> None:
    rng = random.Random(6)
    a, true_a = drawn((2, 3), rng, 4)
    b, true_b = drawn((2, 3), rng, 9)
    assert_encloses(beside(a, b), [[*x, *y] for x, y in zip(true_a, true_b, strict=True)])
    assert_encloses(stacked(a, b), true_a + true_b)
    assert_encloses(a.T, [list(column) for column in zip(*true_a, strict=True)])
    assert a.slice(1, 2).columns(0, 2).rows == [a.rows[1][:2]]


def test_symmetric() -> None:
    near = Fixed([[4, 7], [4, 2]], 2)  # of [[4, 5.5], [5.5, 2]], say
    result = symmetric(near)
    assert result.rows[0][1] == result.rows[1][0]
    assert_encloses(result, [[Fraction(4, ONE), Fraction(11, 2 * ONE)], [Fraction(11, 2 * ONE), Fraction(2, ONE)]])


@pytest.mark.parametrize(
    "unit", [Fraction(1), Fraction(1, 2**60), Fraction(1, 2**200), Fraction(1, 3), Fraction(2**30)]
)
def test_fixed_of_exact(unit: Fraction) -> None:
    matrix = Exact([[1, -1, 2**130 + 1, 0]], unit)
    result = fixed(matrix)
    assert_encloses(result, [[entry * unit for entry in matrix.rows[0]]])
    assert result.error == (0 if unit in (1, Fraction(1, 2**60), Fraction(2**30)) else 1)


@pytest.mark.parametrize("value", [Fraction(1, 32), Fraction(1, 4), Fraction(2), Fraction(10**12, 7)])
def test_root(value: Fraction) -> None:
    entry = root(value).rows[0][0]
    assert Fraction(entry, ONE) ** 2 <= value < Fraction(entry + 1, ONE) ** 2


def test_norm_is_a_lower_bound() -> None:
    check: Callable[[int, Fraction], bool] = lambda error, bound: Fixed(  # noqa: E731
        [[3 * ONE, -4 * ONE]], error
    ).norm_square_at_least(bound)
    assert check(0, Fraction(25))
    assert not check(1, Fraction(25))
    assert not check(0, Fraction(25) + Fraction(1, 10**30))
    assert Fixed([[1, -1]], 5).norm_square_at_least(Fraction(0))
    assert not Fixed([[1, -1]], 5).norm_square_at_least(Fraction(1, 10**90))
