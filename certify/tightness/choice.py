"""Which head to try: parameters found in floating point, which may be poor but never wrong."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from .witness import NoScores, OppositeMoves, TwoPlaces, Witness

Array = npt.NDArray[np.float64]

_WEIGHTS = (0.35, 0.42, 0.46, 0.5, 0.54, 0.58, 0.63, 0.7, 0.8, 0.9)
_COSINES = tuple(np.linspace(-1, 1, 17))
_SPARSE_COSINES = (-1.0, 0.0, 1.0)
_TIMES_LEAST_ODDS = (1.5, 2.0, 2.7, 3.5)
_GRID = 2**24


@dataclass(frozen=True)
class Proposal:
    """A head, and about what it gives."""

    value: float
    witness: Witness


def best_head(n: float, rho: float, exact_count: bool) -> Proposal:
    """The best head found for about n tokens (infinity included); counts of moved tokens are shares of n where not
    `exact_count` and they are not small."""
    return max(_proposals(n, rho, exact_count), key=lambda proposal: proposal.value)


def _proposals(n: float, rho: float, exact_count: bool) -> list[Proposal]:
    found = [Proposal(1.0, NoScores()), _two_places(n, rho, exact_count)]
    if math.isfinite(n):
        found.append(_opposite_moves(n, rho))
    return found


def _opposite_moves(n: float, rho: float) -> Proposal:
    cosines = np.linspace(-0.6, 0.99, 160)
    root = math.sqrt(n - 2)
    values = math.sqrt(2) * rho * np.sqrt(1 - cosines**2) / (2 / root + root * np.exp(-rho * (1 + cosines)))
    best = int(np.argmax(values))
    return Proposal(float(values[best]), OppositeMoves(Fraction(round(float(cosines[best]) * 2**12), 2**12)))


def _two_places(n: float, rho: float, exact_count: bool) -> Proposal:
    rows = [
        (count, share, odds, gap, turn)
        for count, share, odds in _moved(n, rho, exact_count)
        for gap in _gaps(odds, rho, n)
        for turn in (-1, 1)
    ]
    _, _, odds, gaps, turns = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    matrices = _jacobians(odds, gaps, turns, rho)
    values = np.linalg.eigvalsh(matrices @ matrices.transpose(0, 2, 1))[:, -1]
    best = int(np.argmax(values))
    count, share, best_odds, gap, turn = rows[best]
    move = np.linalg.svd(matrices[best])[2][0]
    move = move / np.array([math.sqrt(best_odds)] * 2 + [1.0] * 2)
    move = move / np.abs(move).max()
    return Proposal(
        rho * math.sqrt(values[best]),
        TwoPlaces(
            count=count or 0,
            share=Fraction(share).limit_denominator(2**40) if not count else Fraction(0),
            gap=None if abs(gap) >= 2 * rho * (1 - 1e-9) else Fraction(round(gap * _GRID), _GRID),
            downhill=gap < 0,
            turn=turn,
            moves=tuple(Fraction(float(entry)) for entry in move),
        ),
    )


def _moved(n: float, rho: float, exact_count: bool) -> list[tuple[int, float, float]]:
    """Counts (0 for a share), shares and odds worth trying."""
    shares = [1 / (1 + times * math.exp(2 * rho)) for times in _TIMES_LEAST_ODDS] + [0.5, 0.3, 0.2]
    if not math.isfinite(n):
        return [(0, share, 1 / share - 1) for share in shares]
    counts = {1, 2, 3, 4} if exact_count else {1, 2, 3, 4, 6, 8}
    if exact_count:
        counts |= {round(n * share) for share in shares} | {int(n // 2)}
    counts = {count for count in counts if 1 <= count <= n / 2}
    found = [(count, 0.0, (n - count) / count) for count in sorted(counts)]
    if not exact_count:
        found += [(0, share, 1 / share - 1) for share in shares if share * n > 10]
    return found


def _gaps(odds: float, rho: float, n: float) -> list[float]:
    cosines = _COSINES if n <= 64 else _SPARSE_COSINES
    levels = [math.log(odds * weight / (1 - weight)) for weight in _WEIGHTS]
    return [2 * rho * cosine for cosine in cosines] + [level for level in levels if abs(level) < 2 * rho]


def _jacobians(odds: Array, gaps: Array, turns: Array, rho: float) -> Array:
    """On moves of (rest, moved), two entries each, both scaled to unit vectors; over rho."""
    cos = np.clip(gaps / (2 * rho), -1, 1)
    sin = np.sqrt(1 - cos**2)
    result = np.zeros((len(odds), 2, 2, 2, 2))
    with np.errstate(over="ignore"):
        weights = 1 / (1 + odds * np.exp(-gaps)), 1 / (1 + np.exp(-gaps) / odds)
    roots = np.sqrt(odds), np.ones_like(odds)
    for row, weight in enumerate(weights):
        steep = 2 * weight * (1 - weight)
        own, other = np.zeros((len(odds), 2, 2)), np.zeros((len(odds), 2, 2))
        own[:, 0, 0] = (1 - weight) / rho - 3 * steep * cos
        own[:, 0, 1] = steep * sin * (2 * turns - 1)
        own[:, 1, 1] = (1 - weight) / rho
        other[:, 0, 0] = weight / rho + steep * cos
        other[:, 0, 1] = steep * sin
        other[:, 1, 1] = weight / rho
        result[:, row, :, row] = own
        result[:, row, :, 1 - row] = other * (roots[row] / roots[1 - row])[:, None, None]
    return result.reshape(len(odds), 4, 4)
