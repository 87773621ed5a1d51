"""The picture shows the cells that hold a number of tokens, from the least rho to the largest without a gap."""

from itertools import pairwise
from pathlib import Path

import pytest

from certify.tightness import picture as drawing
from certify.tightness import table
from certify.tightness.picture import cells_of, save_picture
from certify.tightness.table import Row, bands


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return table((band, target) for band, target in bands() if band.counts[0] == 3 and band.least_rho >= 3)


def test_the_cells_of_a_count_leave_no_gap(rows: list[Row]) -> None:
    cells = [settled.cell for settled in cells_of(rows, 3)]
    assert cells[0].least_rho == 3
    assert all(before.largest_rho == after.least_rho for before, after in pairwise(cells))
    assert cells[-1].largest_rho is None
    assert cells_of(rows, 4) == []
    assert cells_of(rows, None) == []


def test_a_picture_is_drawn(rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "SHOWN", ((3, "n = 3"),))
    assert save_picture(rows, tmp_path / "tightness.pdf").read_bytes().startswith(b"%PDF")
