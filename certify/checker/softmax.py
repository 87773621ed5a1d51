"""Softmax of fixed-point scores with a counted error."""

from collections.abc import Sequence
from functools import lru_cache

from .fixed import ONE, PLACES, Fixed

GUARD = 40  # extra binary places inside exp
HALVINGS = 6
EXP_ERROR = 4  # units of 2**-PLACES, see `exp_of_negative`


class TooCoarse(Exception):
    """The scores' error is too large for any statement about their softmax."""


def softmax(scores: Fixed) -> Fixed:
    """Row by row; every token sees every token.

    With every score moved down by the row's largest computed one, each computed exponential e_j is within
    eta = EXP_ERROR + 2 error of the true one (exp has slope at most exp(error) there), and their sum S is at least 1
    up to n eta. Then |e_j / S - true| <= eta (n + 1) / (S - n eta) <= 2 eta (n + 1), and 1 for the division.

    A single token has the weight 1.

    Raises:
        TooCoarse: the error is not far below 1.
    """
    n = len(scores.rows[0])
    if n == 1:
        return Fixed([[ONE] for _ in scores.rows], 0)
    eta = EXP_ERROR + 2 * scores.error
    if not (scores.error << 20 < ONE and (n * eta) << 2 < ONE):
        raise TooCoarse(f"scores are known to {scores.error}/2**{PLACES} only")
    return Fixed([_row(row) for row in scores.rows], 2 * eta * (n + 1) + 1)


def _row(row: Sequence[int]) -> list[int]:
    top = max(row)
    powers = [exp_of_negative(entry - top) for entry in row]
    total = sum(powers)
    return [(power << PLACES) // total for power in powers]


def exp_of_negative(x: int) -> int:
    """exp(x / 2**PLACES) * 2**PLACES within EXP_ERROR, for x <= 0.

    exp(-t) = 2^-m exp(-r / 2^6)^(2^6) with t = m ln 2 + r. In units of 2^-(PLACES + GUARD): m has at most 8 bits where
    the result is not below one unit, so r carries at most 2^8 and y = r / 2^6 at most 2^3; the series adds less than
    2^6; each squaring at most doubles the error and adds 1: below 2^13 in all, which GUARD places take below one unit.
    """
    t = -x << GUARD
    m, r = divmod(t, _log_two())
    if m > PLACES + 2:
        return 0  # below a quarter of a unit
    y = r >> HALVINGS
    scale = PLACES + GUARD
    term = result = 1 << scale
    j = 0
    while term:
        j += 1
        term = term * y // (j << scale)
        result += -term if j % 2 else term
    for _ in range(HALVINGS):
        result = result * result >> scale
    return result >> (m + GUARD)


@lru_cache(maxsize=1)
def _log_two() -> int:
    """ln 2 = 2 atanh(1/3) within one unit of 2**-(PLACES + GUARD), rounded down."""
    scale = PLACES + GUARD + 16
    total, power, j = 0, (2 << scale) // 3, 1
    while power:
        total += power // j
        power //= 9
        j += 2
    return total >> 16
