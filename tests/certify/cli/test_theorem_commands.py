"""`certify list` and `certify latex`."""

import bounds
from bounds.proof_status import is_proved
from tests.certify.cli.runs import Run


def test_the_list_shows_every_theorem(run: Run) -> None:
    ran = run("list")
    assert ran.status == 0
    for theorem in bounds.theorems():
        (line,) = (line for line in ran.out.splitlines() if line.startswith(f"{theorem.id} "))
        assert theorem.title in line
        assert ("complete" in line) == is_proved(theorem)


def test_theorems_as_latex_with_each_source_once(run: Run) -> None:
    ran = run("latex", "compact-softmax-published", "mean-field-published", "local-schur", "--bib")
    assert ran.status == 0
    assert ran.out.count(r"\begin{theorem}") == ran.out.count(r"\end{theorem}") == 3
    assert ran.out.count("@inproceedings{castin2024") == 1
