"""Verified norms against 200 digits and against matrices whose norm is known exactly: never once outside."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any  # mpmath has no types

import mpmath
import numpy as np
import pytest
from mpmath import mp

from certify import norms
from certify.arithmetic.interval import Interval
from certify.arithmetic.matrices import BallMatrix
from certify.errors import NoEnclosure
from certify.norms import euclidean_norm_upper, largest_eigenvalue_upper, spectral_norm, vector_norm
from tests.certify.exact_arrays import KINDS, balls, corner, doubles, units

LARGE = norms._DENSE + 32  # beyond this size the Cholesky factor takes over


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(200):
        yield


def exact(numbers: np.ndarray) -> Any:
    """Integers in units of 2^-1074 as a matrix of 200 digits."""
    return mpmath.matrix([[mp.ldexp(int(x), -1074) for x in row] for row in np.atleast_2d(numbers)])


def exact_norm(numbers: np.ndarray) -> Any:
    return max(mp.svd_r(exact(numbers), compute_uv=False))


def holds(interval: Interval, value: Any) -> bool:
    return bool(
        interval.lower <= value * (1 + mp.mpf(10) ** -150) and value * (1 - mp.mpf(10) ** -150) <= interval.upper
    )


def holds_root(interval: Interval, square: Fraction) -> bool:
    return Fraction(interval.lower) ** 2 <= square <= Fraction(interval.upper) ** 2


def width(interval: Interval) -> float:
    return interval.upper / interval.lower - 1.0


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("mixed", "tiny")])
def test_spectral_norms_of_small_matrices(kind: str) -> None:
    rng = np.random.default_rng(1)
    for shape in ((1, 1), (1, 4), (4, 1), (3, 3), (2, 5), (5, 2), (4, 4)):
        for _ in range(3):
            W = doubles(rng, kind, shape)
            interval = spectral_norm(BallMatrix.exact(W))
            assert holds(interval, exact_norm(units(W)))
            assert interval.upper < 1e-300 or width(interval) < 1e-11


@pytest.mark.parametrize("kind", ["mixed", "tiny"])
def test_spectral_norms_of_graded_matrices(kind: str) -> None:
    rng = np.random.default_rng(2)
    with mp.workdps(700):
        for _ in range(3):
            W = doubles(rng, kind, (3, 3))
            interval = spectral_norm(BallMatrix.exact(W))
            assert holds(interval, exact_norm(units(W)))
            assert width(interval) < 1e-11


def test_the_spectral_norm_of_every_matrix_in_the_balls() -> None:
    rng = np.random.default_rng(3)
    for shape in ((3, 3), (2, 4), (4, 2)):
        for _ in range(8):
            ball = balls(rng, "normal", shape)
            interval = spectral_norm(ball)
            assert all(holds(interval, exact_norm(corner(rng, ball))) for _ in range(2))


def test_dense_matrices_are_enclosed_to_eight_digits() -> None:
    W = np.random.default_rng(4).standard_normal((200, 300))
    for matrix in (W, W.T, W.astype(np.float32)):
        interval = spectral_norm(BallMatrix.exact(matrix))
        assert width(interval) <= 1e-8
        assert interval.lower * (1 - 1e-12) <= np.linalg.norm(matrix.astype(float), 2) <= interval.upper * (1 + 1e-12)


def hadamard(order: int) -> np.ndarray:
    H = np.ones((1, 1))
    while len(H) < order:
        H = np.block([[H, H], [H, -H]])
    return H


@pytest.mark.parametrize("order", [1, 2, 64, 128, 256])
def test_hadamard_matrices_whose_singular_values_all_coincide(order: int) -> None:
    for scale in (1.0, 2.0**-1070, 2.0**1010):
        interval = spectral_norm(BallMatrix.exact(hadamard(order) * scale))
        assert holds_root(interval, order * Fraction(scale) ** 2)
        assert scale < 1e-300 or width(interval) <= 1e-8


@pytest.mark.parametrize("shape", [(1, 5), (5, 1), (1, LARGE), (LARGE, 1), (LARGE, LARGE), (40, LARGE), (LARGE, 40)])
def test_rank_one(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    u, v = (rng.integers(-(2**20), 2**20, size) for size in shape)
    interval = spectral_norm(BallMatrix.exact(np.outer(u, v)))
    assert holds_root(interval, Fraction(sum(int(x) ** 2 for x in u) * sum(int(x) ** 2 for x in v)))
    assert width(interval) <= 1e-8


@pytest.mark.parametrize("order", [5, 90, LARGE, 300])
def test_scaled_orthogonal_matrices(order: int) -> None:
    v = np.random.default_rng(order).integers(-9, 10, order)
    square = int((v * v).sum())
    interval = spectral_norm(BallMatrix.exact(square * np.eye(order) - 2.0 * np.outer(v, v)))
    assert holds_root(interval, Fraction(square) ** 2)
    assert width(interval) <= 1e-8


@pytest.mark.parametrize("order", [4, LARGE, 300])
def test_graded_diagonals(order: int) -> None:
    values = np.ldexp(1.0, -3 * np.arange(order))
    for scale in (1.0, 2.0**900, 2.0**-150):
        interval = spectral_norm(BallMatrix.exact(np.diag(values * scale)))
        assert holds_root(interval, Fraction(scale) ** 2)
        assert width(interval) <= 1e-8


def test_nearly_equal_singular_values() -> None:
    values = 1.0 - np.arange(LARGE) * 2.0**-40
    interval = spectral_norm(BallMatrix.exact(np.diag(values)))
    assert holds_root(interval, Fraction(1))
    assert width(interval) <= 1e-8


@pytest.mark.parametrize("shape", [(3, 4), (0, 3), (3, 0), (LARGE, LARGE)])
def test_zero_and_empty_matrices(shape: tuple[int, int]) -> None:
    assert spectral_norm(BallMatrix.exact(np.zeros(shape))) == Interval(0.0, 0.0)


def test_a_matrix_of_radii_alone() -> None:
    for order in (3, LARGE):
        interval = spectral_norm(BallMatrix(np.zeros((order, order)), np.ones((order, order))))
        assert interval.lower == 0.0
        assert order <= interval.upper <= order * (1 + 1e-9)


def test_radii_widen_by_their_own_norm() -> None:
    mid = np.random.default_rng(6).standard_normal((30, 20))
    interval, middle = spectral_norm(BallMatrix(mid, np.full(mid.shape, 1e-3))), spectral_norm(BallMatrix.exact(mid))
    spread = 1e-3 * np.sqrt(600.0)
    assert middle.upper + spread <= interval.upper * (1 + 1e-12)
    assert interval.upper <= (middle.upper + spread) * (1 + 1e-12)
    assert interval.lower <= (middle.lower - spread) * (1 + 1e-12)


@pytest.mark.parametrize("pair", ["half", "nan", "zero", "infinite"])
@pytest.mark.parametrize("order", [6, LARGE])
def test_a_wrong_suggestion_costs_width_but_never_truth(monkeypatch: pytest.MonkeyPatch, pair: str, order: int) -> None:
    honest = norms._top_pair

    def wrong(gram: np.ndarray) -> tuple[float, np.ndarray]:
        value, vector = honest(gram)
        return {
            "half": (value / 2, vector[::-1]),
            "nan": (np.nan, vector * np.nan),
            "zero": (0.0, vector * 0.0),
            "infinite": (np.inf, vector),
        }[pair]

    monkeypatch.setattr(norms, "_top_pair", wrong)
    v = np.arange(1, order + 1)
    square = int((v * v).sum())
    matrix = square * np.eye(order) - 2.0 * np.outer(v, v)
    assert holds_root(spectral_norm(BallMatrix.exact(matrix)), Fraction(square) ** 2)


@pytest.mark.parametrize("order", [5, LARGE])
def test_random_orthogonal_matrices_where_one_pair_may_not_be_found(order: int) -> None:
    rng = np.random.default_rng(10)
    for _ in range(5):
        interval = spectral_norm(BallMatrix.exact(np.linalg.qr(rng.standard_normal((order, order)))[0]))
        assert interval.upper >= 1.0 - 1e-13
        assert width(interval) < 1e-8


def test_clustered_singular_values() -> None:
    rng = np.random.default_rng(11)
    Q, R = (np.linalg.qr(rng.standard_normal((LARGE, LARGE)))[0] for _ in range(2))
    for cluster in (1.0 - 1e-3 * (np.arange(LARGE) / LARGE) ** 2, (np.arange(LARGE) < 3) + 0.0):
        assert width(spectral_norm(BallMatrix.exact((Q * cluster) @ R))) < 1e-8


def test_no_eigenvalue_from_lapack_means_no_norm(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise np.linalg.LinAlgError("no convergence")

    monkeypatch.setattr(norms.scipy.linalg, "eigh", fail)
    with pytest.raises(NoEnclosure, match="no largest eigenvalue \\(no convergence\\)"):
        spectral_norm(BallMatrix.exact(np.eye(3)))


def test_a_wrong_cholesky_factor_costs_width_but_never_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.linalg, "cholesky", lambda matrix: np.tril(matrix))
    interval = spectral_norm(BallMatrix.exact(hadamard(128)))
    assert holds_root(interval, Fraction(128))


def test_unknown_entries_and_overflow_give_no_norm() -> None:
    unknown = BallMatrix(np.zeros((2, 2)), np.full((2, 2), np.inf))
    for norm in (spectral_norm, largest_eigenvalue_upper, euclidean_norm_upper, vector_norm):
        with pytest.raises(NoEnclosure):
            norm(unknown)
    with pytest.raises(NoEnclosure):
        spectral_norm(BallMatrix.exact(np.full((9, 9), 1.7e308)))
    with pytest.raises(NoEnclosure):
        vector_norm(BallMatrix.exact([1.7e308, 1.7e308]))
    with pytest.raises(NoEnclosure):
        largest_eigenvalue_upper(BallMatrix.exact(np.full((9, 9), 1.7e308)))


def test_a_spectral_norm_needs_two_axes() -> None:
    with pytest.raises(ValueError, match="not an array of shape \\(2, 2, 2\\)"):
        spectral_norm(BallMatrix.exact(np.zeros((2, 2, 2))))


def symmetric_corner(rng: np.random.Generator, ball: BallMatrix) -> np.ndarray:
    """A real symmetric matrix in balls whose midpoints and radii are symmetric."""
    numbers = np.tril(corner(rng, ball))
    return numbers + np.tril(numbers, -1).T


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("mixed", "tiny")])
def test_the_largest_eigenvalue_of_every_matrix_in_the_balls(kind: str) -> None:
    rng = np.random.default_rng(7)
    for order in (1, 2, 4):
        lower = np.tril(np.stack([doubles(rng, kind, (order, order)) for _ in range(3)]))
        mid = lower + np.tril(lower, -1).transpose(0, 2, 1)
        for share in (0.0, 1e-9, 0.1):
            ball = BallMatrix(mid, np.abs(mid) * share)
            upper = largest_eigenvalue_upper(ball)
            for i in range(3):
                values = mp.eigsy(exact(symmetric_corner(rng, ball[i])), eigvals_only=True)
                assert max(*values, mp.mpf(0)) * (1 - mp.mpf(10) ** -150) <= upper[i]


def test_eigenvalue_bounds_are_tight_and_batched() -> None:
    B = np.random.default_rng(8).standard_normal((5, 40, 33, 30))
    G = B @ B.swapaxes(-1, -2)
    upper = largest_eigenvalue_upper(BallMatrix.exact(G))
    assert upper.shape == (5, 40)
    top = np.linalg.eigvalsh(G)[..., -1]
    assert (upper >= top).all()
    assert (upper <= top * (1 + 1e-11)).all()


def test_negative_definite_and_zero_matrices_are_bounded_by_almost_zero() -> None:
    upper = largest_eigenvalue_upper(BallMatrix.exact(np.stack([-np.eye(3), np.zeros((3, 3))])))
    assert 0.0 <= upper[0] < 1e-13
    assert upper[1] == 0.0
    assert largest_eigenvalue_upper(BallMatrix.exact(np.zeros((2, 0, 0)))).tolist() == [0.0, 0.0]
    assert largest_eigenvalue_upper(BallMatrix.exact(np.zeros((0, 3, 3)))).shape == (0,)


@pytest.mark.parametrize("defect", ["skewed", "nan", "raise"])
def test_bad_eigenvectors_are_seen(monkeypatch: pytest.MonkeyPatch, defect: str) -> None:
    def eigh(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if defect == "raise":
            raise np.linalg.LinAlgError("no convergence")
        vectors = np.broadcast_to(np.full((3, 3), np.nan if defect == "nan" else 1.0), matrix.shape)
        return np.zeros(matrix.shape[:-1]), vectors

    monkeypatch.setattr(np.linalg, "eigh", eigh)
    with pytest.raises(NoEnclosure):
        largest_eigenvalue_upper(BallMatrix.exact(np.eye(3)))


def test_wrong_eigenvalues_cost_width_but_never_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        np.linalg, "eigh", lambda matrix: (np.zeros(matrix.shape[:-1]), np.broadcast_to(np.eye(3), matrix.shape))
    )
    assert 3.0 <= largest_eigenvalue_upper(BallMatrix.exact(np.diag([1.0, 3.0, -2.0]))) < 4.0


@pytest.mark.parametrize("kind", KINDS)
def test_euclidean_norms_of_every_array_in_the_balls(kind: str) -> None:
    rng = np.random.default_rng(9)
    unit = Fraction(1, 2**1074)
    for _ in range(20):
        ball = balls(rng, kind, (3, 7))
        interval, rows = vector_norm(ball), euclidean_norm_upper(ball, -1)
        numbers = corner(rng, ball)
        squares = [sum(int(x) ** 2 for x in row) for row in numbers]
        assert holds_root(interval, sum(squares) * unit**2)
        assert all(Fraction(float(r)) ** 2 >= s * unit**2 for r, s in zip(rows, squares, strict=True))


@pytest.mark.parametrize("scale", [1e-323, 1e-310, 1e-160, 1.0, 1e160, 1e307])
def test_euclidean_norms_at_every_scale(scale: float) -> None:
    x = np.array([3.0, 4.0]) * scale
    interval = vector_norm(BallMatrix.exact(x))
    assert holds_root(interval, sum((Fraction(v) ** 2 for v in x.tolist()), Fraction(0)))
    assert scale < 1e-300 or width(interval) < 1e-14


def test_euclidean_norms_of_nothing() -> None:
    assert vector_norm(BallMatrix.exact(np.zeros(3))) == Interval(0.0, 0.0)
    assert vector_norm(BallMatrix.exact(np.zeros(0))) == Interval(0.0, 0.0)
    assert euclidean_norm_upper(BallMatrix.exact(np.zeros((2, 0))), 1).tolist() == [0.0, 0.0]
    assert euclidean_norm_upper(BallMatrix.exact(np.ones((2, 3, 4))), (1, 2)).shape == (2,)
