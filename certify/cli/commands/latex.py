"""`certify latex`: theorems for a paper."""

import click


@click.command("latex")
@click.argument("theorem_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--bib", is_flag=True, help="Print the BibTeX entries of their sources too.")
def latex_command(theorem_ids: tuple[str, ...], bib: bool) -> int:
    """Print theorems as LaTeX: statement, hypotheses, formula, letters and source."""
    import bounds

    theorems = [bounds.theorem(theorem_id) for theorem_id in theorem_ids]
    for theorem in theorems:
        print(theorem.latex())
    if bib:
        for entry in dict.fromkeys(bounds.bibtex(theorem) for theorem in theorems):
            if entry is not None:
                print(entry + "\n")
    return 0


COMMAND = latex_command
