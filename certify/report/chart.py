"""The report as a picture: one row a map, every bound a mark on a logarithmic axis."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from ..atomic_file import write_whole
from ..errors import InputError
from ..layer_certificate import LayerCertificate, best_upper
from ..outcome import Bound, NoBound
from .columns import maps, published, row_name, title

FORMATS = ("svg", "pdf", "png")


def save_chart(certificate: LayerCertificate, path: str | Path) -> Path:
    """Write the picture in the format of the file's ending; the same certificate gives the same file.

    Raises InputError for another ending, or a place that cannot be written.
    """
    ending = check_ending(path)
    buffer = BytesIO()
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}[ending]
    with rc_context({"svg.hashsalt": "attention-bounds", "svg.fonttype": "none"}):  # the same names in every SVG
        _figure(certificate).savefig(buffer, format=ending, metadata=dated, dpi=150, bbox_inches="tight")
    return write_whole(path, buffer.getvalue(), InputError)


def check_ending(path: str | Path) -> str:
    """The file's format. Raises InputError for one that is not drawn."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise InputError(f"cannot draw {path}: the file's name must end in .{', .'.join(FORMATS)}")
    return ending


def _figure(certificate: LayerCertificate) -> Figure:
    rows = maps(certificate)
    figure = Figure(figsize=(7.5, 0.9 + 0.24 * len(rows)))
    axes = figure.add_subplot()
    lowers = [raced.witness.bound for raced in rows]
    uppers = [best_upper(raced.candidates) for raced in rows]
    for place, (lower, upper) in enumerate(zip(lowers, uppers, strict=True)):
        if isinstance(upper, Bound) and lower.value > 0:
            axes.plot([lower.value, upper.value], [place, place], color="tab:blue", linewidth=1.5, zorder=1)
    series: Sequence[tuple[str, Sequence[Bound | NoBound], str, str]] = (
        ("lower bound at the input", lowers, ">", "tab:green"),
        ("upper bound at the input", uppers, "<", "tab:blue"),
        ("on the LayerNorm image", [best_upper(raced.image_candidates) for raced in rows], "s", "tab:orange"),
        ("published, on the ball", [published(raced) for raced in rows], "D", "tab:red"),
    )
    for label, bounds, marker, color in series:
        points = [(bound, place) for place, bound in enumerate(bounds) if isinstance(bound, Bound) and bound.value > 0]
        if points:
            words = "/".join(sorted({str(bound.guarantee) for bound, _ in points}))
            values, places = [bound.value for bound, _ in points], [place for _, place in points]
            axes.scatter(values, places, marker=marker, color=color, s=28, label=f"{label} ({words})", zorder=2)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row_name(raced) for raced in rows])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("Lipschitz constant, l2 to l2")
    axes.set_title(title(certificate, timed=False), fontsize=10)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False, fontsize=8)
    return figure
