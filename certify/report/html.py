"""The report for a notebook."""

from html import escape

from ..layer_certificate import LayerCertificate
from .columns import columns, notes, title


def as_html(certificate: LayerCertificate) -> str:
    """Title, table and notes as an HTML fragment; every text is escaped."""
    shown = columns(certificate)
    heads = "".join(f"<th>{escape(column.heading)}{_small(column.guarantee)}</th>" for column in shown)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in zip(*(column.cells for column in shown), strict=True)
    )
    below = "".join(f"<p><small>{escape(note)}</small></p>" for note in notes(certificate))
    caption = f"<caption>{escape(title(certificate))}</caption>"
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{below}"


def _small(guarantee: str) -> str:
    return f"<br><small>({escape(guarantee)})</small>" if guarantee else ""
