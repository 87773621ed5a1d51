"""`certify list` and `certify latex`."""

from decimal import Decimal

import bounds
from bounds.proof_status import is_proved
from tests.certify.cli.runs import Run, assert_refused


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


def test_a_table_of_closed_forms_rounded_up_with_its_sources(run: Run) -> None:
    norms = ("--n", 128, "--norm-a", "1/2", "--norm-v", 1, "--radius", 3, "--norm-query-bias", 0)
    ran = run("latex", "--table", *norms, "--bib")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "% n = 128, R = 3, norm_A = 1/2, norm_a = 0, norm_V = 1; every bound is rounded up"
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines[lines.index(r"\midrule") + 1 :][:3]]
    expected = ("compact-softmax-few-tokens", "compact-softmax", "compact-softmax-published")
    for (title, source, shown), theorem_id in zip(rows, expected, strict=True):
        theorem = bounds.theorem(theorem_id)
        assert title == theorem.title
        assert source == ("new" if theorem.source == "new" else rf"\cite{{{theorem.source}}}")
        exact = Decimal(str(theorem.evaluate(n=128, R=3, norm_A=0.5, norm_a=0, norm_V=1)))
        mantissa, _, exponent = shown.strip("$").partition(r" \cdot 10^")
        value = Decimal(mantissa).scaleb(int(exponent.strip("{}") or 0))
        assert exact <= value <= exact * Decimal("1.001")
    assert ran.out.count("@inproceedings{castin2024") == 1


def test_a_causal_table_and_a_theorem_before_it(run: Run) -> None:
    ran = run("latex", "local-schur", "--table", "--causal", "--n", 9, "--norm-a", 300, "--norm-v", 1, "--radius", 9)
    assert ran.out.index(r"\end{theorem}") < ran.out.index(r"\begin{tabular}")
    assert "Causal compact bound for any number of tokens & new & --- " in ran.out


def test_nothing_to_print_and_a_table_without_numbers_are_refused(run: Run) -> None:
    message = "nothing to print: give the id of a theorem (certify list shows them) or --table"
    assert_refused(run("latex"), message)
    assert_refused(
        run("latex", "--table", "--n", 3, "--norm-a", 1), "--table needs numbers: give --radius, --norm-v too"
    )


def test_the_list_of_variants_shows_every_one(run: Run) -> None:
    ran = run("variants")
    assert ran.status == 0
    for variant in bounds.variants():
        (line,) = (line for line in ran.out.splitlines() if line.startswith(f"{variant.id} "))
        assert variant.title in line


def test_a_variant_as_latex_beside_a_theorem(run: Run) -> None:
    ran = run("latex", "rope", "local-schur", "--bib")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{bounds.variant('rope').latex()}\n{bounds.theorem('local-schur').latex()}\n"
