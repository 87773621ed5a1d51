"""`certify list`: the theorems on the shelf."""

import click


@click.command("list")
def list_command() -> int:
    """List the theorems: id, side, map, domain, norm, source, whether the proof is complete, title."""
    from rich.console import Console
    from rich.table import Table

    import bounds
    from bounds.proof_status import is_proved

    table = Table("id", "side", "map", "domain", "norm", "source", "proof", "title", box=None, pad_edge=False)
    for theorem in bounds.theorems():
        proof = "complete" if is_proved(theorem) else "open"
        words = (theorem.id, theorem.kind, theorem.map, theorem.domain, theorem.norm, theorem.source, proof)
        table.add_row(*words, theorem.title)
    Console(highlight=False, width=None if Console().is_terminal else 200).print(table)
    return 0


COMMAND = list_command
