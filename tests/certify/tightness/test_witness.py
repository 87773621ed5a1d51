"""The closed forms of the families against Jacobians built token by token, and what a range of counts proves."""

from fractions import Fraction

import numpy as np
import pytest

from certify.errors import NoEnclosure
from certify.tightness.choice import best_head
from certify.tightness.witness import NoScores, OppositeMoves, TwoPlaces
from tests.bounds.head import Array, Head

POINTS = [(3, 0.7), (4, 2.0), (5, 0.3), (7, 5.0), (12, 1.2), (12, 20.0), (40, 1.9), (60, 6.0)]


def two_places(witness: TwoPlaces, n: int, rho: Fraction) -> tuple[Head, Array]:
    """The head and its moves, token by token; built from the words of `families`, not from its formula."""
    count = witness.count or round(n * witness.share)
    gap = (-2 * rho if witness.downhill else 2 * rho) if witness.gap is None else witness.gap
    cos = float(gap / (2 * rho))
    sin = (1 - cos**2) ** 0.5
    A = float(rho) * np.array([[-cos, witness.turn * sin], [-sin, -witness.turn * cos]])
    X = np.array([[1.0, 0.0]] * count + [[-1.0, 0.0]] * (n - count))
    x_rest, y_rest, x_moved, y_moved = map(float, witness.moves)
    moves = np.array([[x_moved, y_moved]] * count + [[x_rest, y_rest]] * (n - count))
    return Head(X, A, np.eye(2), np.zeros(2)), moves


def opposite_moves(witness: OppositeMoves, n: int, rho: Fraction) -> tuple[Head, Array]:
    cos = float(witness.cosine)
    sin = (1 - cos**2) ** 0.5
    X = np.array([[-1.0, 0.0]] * (n - 2) + [[cos, sin], [cos, -sin]])
    moves = np.zeros_like(X)
    moves[-2:, 0] = 1.0, -1.0
    return Head(X, -float(rho) * np.eye(2), np.eye(2), np.zeros(2)), moves


def stretched(head: Head, moves: Array) -> float:
    assert np.linalg.norm(head.A, 2) == pytest.approx(np.abs(np.linalg.eigvals(head.A)).max())
    assert np.linalg.norm(head.X, axis=1).max() <= 1 + 1e-12
    return float(np.linalg.norm(head.jacobian @ moves.ravel()) / np.linalg.norm(moves))


def random_two_places(rng: np.random.Generator, n: int, rho: Fraction) -> TwoPlaces:
    return TwoPlaces(
        count=int(rng.integers(1, n)),
        share=Fraction(0),
        gap=Fraction(float(rng.uniform(-2, 2))) * rho,
        downhill=False,
        turn=int(rng.choice([-1, 1])),
        moves=tuple(Fraction(float(entry)) for entry in rng.standard_normal(4)),
    )


@pytest.mark.parametrize(("n", "rho"), POINTS)
def test_two_places_token_by_token(n: int, rho: float) -> None:
    rng, exact = np.random.default_rng(n), Fraction(rho)
    best = best_head(n, rho, exact_count=True).witness
    for witness in [random_two_places(rng, n, exact) for _ in range(10)] + [best]:
        if isinstance(witness, TwoPlaces):
            head, moves = two_places(witness, n, exact)
            assert np.linalg.norm(head.A, 2) == pytest.approx(rho)
            value = float(witness.least((n, n), exact, beyond=False) * exact)
            assert value == pytest.approx(stretched(head, moves), rel=1e-9)


@pytest.mark.parametrize(("n", "rho"), POINTS)
@pytest.mark.parametrize("cosine", ["-1/2", "0", "1/4", "3/4"])
def test_opposite_moves_token_by_token(n: int, rho: float, cosine: str) -> None:
    """The rows of the two moved tokens are left out."""
    witness, exact = OppositeMoves(Fraction(cosine)), Fraction(rho)
    head, moves = opposite_moves(witness, n, exact)
    rest = float(np.linalg.norm((head.jacobian @ moves.ravel())[: 2 * (n - 2)]) / np.linalg.norm(moves))
    value = float(witness.least((n, n), exact, beyond=False) * exact)
    assert value == pytest.approx(rest, rel=1e-9)
    assert value <= stretched(head, moves) * (1 + 1e-12)


def test_no_scores() -> None:
    assert NoScores().least((3, None), Fraction(7), beyond=False) * 7 == 1


@pytest.mark.parametrize("rho", [Fraction(3, 4), Fraction(5, 2), Fraction(7)])
@pytest.mark.parametrize("counts", [(30, 45), (200, 230)])
def test_a_range_of_counts_holds_for_each_of_them(counts: tuple[int, int], rho: Fraction) -> None:
    """Also for shares, where the count is the nearest integer."""
    n = (counts[0] * counts[1]) ** 0.5
    share = TwoPlaces(0, Fraction(2, 9), None, False, 1, (Fraction(1, 7), Fraction(0), Fraction(1), Fraction(0)))
    for witness in (best_head(n, float(rho), exact_count=False).witness, share, OppositeMoves(Fraction(1, 3))):
        whole = witness.least(counts, rho, beyond=False)
        for m in range(counts[0], counts[1] + 1, 3):
            if isinstance(witness, TwoPlaces):
                head, moves = two_places(witness, m, rho)
                assert float(whole * rho) <= stretched(head, moves) * (1 + 1e-12)
            assert whole <= witness.least((m, m), rho, beyond=False) or not isinstance(witness, OppositeMoves)


def test_beyond_a_rho_it_holds_for_each_larger_one() -> None:
    for n in (3, 9, 50):
        witness = best_head(n, 50.0, exact_count=True).witness
        whole = witness.least((n, n), Fraction(50), beyond=True)
        for rho in (50, 75, 1000, 10**6):
            assert whole <= witness.least((n, n), Fraction(50), beyond=False)
            build = two_places if isinstance(witness, TwoPlaces) else opposite_moves
            fixed = witness
            if isinstance(witness, TwoPlaces) and witness.gap is None:
                fixed = TwoPlaces(witness.count, witness.share, Fraction(100), False, witness.turn, witness.moves)
            head, moves = build(fixed, n, Fraction(rho))  # type: ignore[arg-type]
            assert float(whole) * rho <= stretched(head, moves) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("witness", "counts", "beyond", "says"),
    [
        (TwoPlaces(5, Fraction(0), None, False, 1, (Fraction(1),) * 4), (5, 9), False, "no head with two places"),
        (TwoPlaces(1, Fraction(0), None, False, 1, (Fraction(1),) * 4), (5, None), False, "no head with two places"),
        (TwoPlaces(0, Fraction(1, 20), None, False, 1, (Fraction(1),) * 4), (5, 9), False, "may be none or all"),
        (TwoPlaces(1, Fraction(0), Fraction(5), False, 1, (Fraction(1),) * 4), (5, 5), False, "differ by 5"),
        (TwoPlaces(1, Fraction(0), None, False, 2, (Fraction(1),) * 4), (5, 5), False, "neither a rotation"),
        (OppositeMoves(Fraction(0)), (5, None), False, "finitely many tokens"),
        (NoScores(), (5, 5), True, "without scores"),
    ],
)
def test_refusals(
    witness: TwoPlaces | OppositeMoves | NoScores, counts: tuple[int, int | None], beyond: bool, says: str
) -> None:
    with pytest.raises(NoEnclosure, match=says):
        witness.least(counts, Fraction(2), beyond)
