"""`certify list`: the theorems on the shelf."""

import click


@click.command("list")
def list_command() -> int:
    """List the theorems: id, side, attention, domain, norm, source, title."""
    from rich.console import Console
    from rich.table import Table

    import bounds

    table = Table("id", "side", "attention", "domain", "norm", "source", "title", box=None, pad_edge=False)
    for theorem in bounds.theorems():
        table.add_row(
            theorem.id, theorem.kind, theorem.attention, theorem.domain, theorem.norm, theorem.source, theorem.title
        )
    Console(highlight=False, width=None if Console().is_terminal else 160).print(table)
    return 0


COMMAND = list_command
