"""The report for a terminal."""

from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..layer_certificate import LayerCertificate
from .columns import columns, notes, title

TEXT_WIDTH = 100


def as_text(certificate: LayerCertificate) -> str:
    """The report as plain text of at most 100 columns."""
    console = Console(file=StringIO(), width=TEXT_WIDTH, color_system=None, highlight=False)
    with console.capture() as captured:
        print_report(certificate, console)
    return captured.get()


def print_report(certificate: LayerCertificate, console: Console) -> None:
    """Title, table and notes."""
    console.print(Text(title(certificate), style="bold"))
    console.print()
    console.print(_table(certificate))
    console.print()
    for note in notes(certificate):
        console.print(Text(note, style="dim"))


def _table(certificate: LayerCertificate) -> Table:
    shown = columns(certificate)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for column in shown:
        heading = Text(column.heading)
        if column.guarantee:
            heading.append(f"\n({column.guarantee})", style="dim")
        table.add_column(heading, justify="left" if column is shown[0] else "right", vertical="bottom")
    rows = list(zip(*(column.cells for column in shown), strict=True))
    for number, row in enumerate(rows, start=1):
        table.add_row(*row, style="bold" if number == len(rows) else "")
    return table
