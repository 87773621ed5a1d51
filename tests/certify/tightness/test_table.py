"""The bands of the table: together they are all n >= 3 and all rho >= 0, and every ratio is at most 3/2."""

from fractions import Fraction
from itertools import pairwise

import pytest

from certify.tightness import latex, table
from certify.tightness.table import COUNTS, RHOS, bands

LARGEST = Fraction(3, 2)


def test_the_bands_leave_nothing_out() -> None:
    assert COUNTS[0][0] == 3
    assert COUNTS[-1][1] is None
    assert all(after[0] == (before[1] or 0) + 1 for before, after in pairwise(COUNTS))
    assert RHOS[0][0] == 0
    assert RHOS[-1][1] is None
    assert all(before[1] == after[0] for before, after in pairwise(RHOS))
    assert len(bands()) == len(COUNTS) * len(RHOS)
    assert max(target for _, target in bands()) < LARGEST


def test_the_coarse_part_and_its_latex() -> None:
    """One token count, the limit of many tokens, and the corner where the claims take over."""
    chosen = [(band, target) for band, target in bands() if band.counts[0] == 3 or band.counts[1] is None]
    chosen = [(band, target) for band, target in chosen if band.least_rho not in (1, 3, 6)]
    rows = table(chosen)
    assert all(row.proved for row in rows)
    unbounded = [cell for row in rows if row.cover for cell in row.cover.settled if cell.cell.counts[1] is None]
    assert {cell.theorem for cell in unbounded} == {"compact-softmax-many-tokens"}
    assert {row.cover is None for row in rows} == {True, False}
    text = latex(rows)
    assert r"$n = 3$ & $n > 10^{9}$" in text
    assert r"$\rho \ge 50$ & " in text
    assert "--" not in text.splitlines()[5]


def test_what_is_not_proved_is_a_dash() -> None:
    band, _ = bands()[0]
    rows = table([(band, Fraction(1))])
    assert not rows[0].proved
    assert " & --" in latex(rows)


@pytest.mark.slow
def test_every_band_is_proved() -> None:
    rows = table()
    assert all(row.proved for row in rows)
    assert all(row.cover is None or row.cover.worst.ratio <= row.target for row in rows)
    assert "--" not in latex(rows).split(r"\midrule")[1]
