"""All token counts from 3 and all rho, in bands: what each band is proved to have for a ratio."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from .cells import Cell
from .cover import Cover, cover
from .far import LEAST_COUNT, LEAST_RHO, far_is_proved
from .witness import Counts

COUNTS: tuple[Counts, ...] = ((3, 3), (4, 20), (21, 10**3), (10**3 + 1, 10**6), (10**6 + 1, 10**9), (10**9 + 1, None))
RHOS: tuple[tuple[Fraction, Fraction | None], ...] = tuple(
    (Fraction(least), None if largest is None else Fraction(largest))
    for least, largest in ((0, "1/2"), ("1/2", 1), (1, 3), (3, 6), (6, 12), (12, 50), (50, None))
)
TARGETS = (
    ("1.46", "1.46", "1.45", "1.45", "1.45", "1.45"),
    ("1.497", "1.499", "1.499", "1.496", "1.496", "1.496"),
    ("1.46", "1.44", "1.41", "1.39", "1.37", "1.37"),
    ("1.25", "1.41", "1.42", "1.41", "1.28", "1.25"),
    ("1.21", "1.42", "1.33", "1.44", "1.45", "1.44"),
    ("1.20", "1.41", "1.28", "1.20", "1.42", "1.43"),
    ("1.20", "1.41", "1.28", "1.20", "1.20", "1.43"),
)
"""For every band of rho and of counts a ratio that is proved in seconds; the best possible ones are up to 0.09 less."""


@dataclass(frozen=True)
class Row:
    """One band, the target of its ratio and the cells that prove it; no cells where the claims for large scores do."""

    band: Cell
    target: Fraction
    cover: Cover | None
    proved: bool


def bands() -> list[tuple[Cell, Fraction]]:
    """The bands with their targets; together they hold every n >= 3 and every rho >= 0."""
    return [
        (Cell(counts, *rhos), Fraction(target))
        for rhos, targets in zip(RHOS, TARGETS, strict=True)
        for counts, target in zip(COUNTS, targets, strict=True)
    ]


def row(band: Cell, target: Fraction) -> Row:
    """Proves one band, or says that it is not proved."""
    if band.counts[1] is None and band.least_rho >= LEAST_RHO and band.counts[0] >= LEAST_COUNT:
        return Row(band, target, None, far_is_proved(target))
    found = cover(band, target)
    return Row(band, target, found, found.proved)


def table(of: Iterable[tuple[Cell, Fraction]] | None = None) -> list[Row]:
    """Proves the bands one by one, all of them if none are named: about two minutes."""
    return [row(band, target) for band, target in (bands() if of is None else of)]


def latex(rows: Sequence[Row]) -> str:
    """A booktabs table: a line for each band of rho, a column for each of counts; ratios are rounded up."""
    columns = list(dict.fromkeys(row.band.counts for row in rows))
    lines = list(dict.fromkeys((row.band.least_rho, row.band.largest_rho) for row in rows))
    found = {(row.band.counts, row.band.least_rho): row for row in rows}
    return "\n".join(
        (
            "% least closed form over the best constant of the class, at most; -- where that is not proved",
            rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
            r"\toprule",
            " & ".join((r"$\rho$", *(f"${_counts(counts)}$" for counts in columns))) + r" \\",
            r"\midrule",
            *(
                " & ".join((f"${_rhos(*rhos)}$", *(_ratio(found.get((counts, rhos[0]))) for counts in columns)))
                + r" \\"
                for rhos in lines
            ),
            r"\bottomrule",
            "\\end{tabular}\n",
        )
    )


def _ratio(row: Row | None) -> str:
    if row is None or not row.proved:
        return "--"
    ratio = row.target if row.cover is None else row.cover.worst.ratio
    return f"{ceil(ratio * 1000) / 1000:.3f}"


def _counts(counts: Counts) -> str:
    fewest, most = counts
    if fewest == most:
        return f"n = {fewest}"
    if most is None:
        return f"n > {_number(fewest - 1)}"
    return rf"{_number(fewest - 1)} < n \le {_number(most)}"


def _number(count: int) -> str:
    """A power of ten as one from a thousand on."""
    digits = str(count)
    return f"10^{{{len(digits) - 1}}}" if count >= 1000 and digits.rstrip("0") == "1" else digits


def _rhos(least: Fraction, largest: Fraction | None) -> str:
    return rf"\rho \ge {least}" if largest is None else rf"[{least}, {largest}]"
