"""The proved ratio as a picture: one step curve over rho for each of a few token counts."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure

from ..atomic_file import write_whole
from ..errors import InputError
from .cells import SettledCell
from .table import Row

SHOWN: Sequence[tuple[int | None, str]] = ((3, "n = 3"), (64, "n = 64"), (10**4, "n = 10⁴"), (None, "n → ∞"))
LARGEST_RHO = 60.0  # of a cell without an end the part up to here is drawn


def cells_of(rows: Sequence[Row], tokens: int | None) -> list[SettledCell]:
    """The cells that hold this number of tokens, None for any large one, by rising rho."""
    found = (settled for row in rows if row.cover is not None for settled in row.cover.settled)
    holding = [settled for settled in found if _holds(settled, tokens)]
    return sorted(holding, key=lambda settled: settled.cell.least_rho)


def _holds(settled: SettledCell, tokens: int | None) -> bool:
    fewest, most = settled.cell.counts
    if tokens is None:
        return most is None
    return fewest <= tokens and (most is None or tokens <= most)


def save_picture(rows: Sequence[Row], path: str | Path) -> Path:
    """Write the picture as PDF.

    Raises InputError for a place that cannot be written.
    """
    figure = Figure(figsize=(6.2, 3.2))
    axes = figure.add_subplot()
    for tokens, label in SHOWN:
        cells = cells_of(rows, tokens)
        edges = [float(settled.cell.least_rho) for settled in cells]
        edges.append(float(cells[-1].cell.largest_rho or LARGEST_RHO))
        axes.stairs([float(settled.ratio) for settled in cells], edges, baseline=None, label=label)
    axes.set(xscale="symlog", xlim=(0, LARGEST_RHO), ylim=(1, 1.52), xlabel="ρ", ylabel="upper / lower, proved")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.legend(frameon=False, ncols=2)
    buffer = BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"CreationDate": None}, bbox_inches="tight")
    return write_whole(path, buffer.getvalue(), InputError)
