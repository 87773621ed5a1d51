"""`certify variants`: the attention variants on the shelf."""

import click


@click.command("variants")
def variants_command() -> int:
    """List the attention variants: id, what moves, title; `certify latex ID` prints map and Jacobian."""
    from rich.console import Console
    from rich.table import Table

    import bounds

    table = Table("id", "moves", "title", box=None, pad_edge=False)
    for variant in bounds.variants():
        table.add_row(variant.id, ", ".join(str(moving) for moving in variant.inputs), variant.title)
    Console(highlight=False, width=None if Console().is_terminal else 160).print(table)
    return 0


COMMAND = variants_command
