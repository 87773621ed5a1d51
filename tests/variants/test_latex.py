"""The LaTeX of every variant: matplotlib parses what it knows, pdflatex everything, on lines that fit the page."""

import shutil
from pathlib import Path

import pytest

import bounds
from bounds import Variant
from bounds.variant_latex import definitions, derivative_equation, map_equation
from proofs.document import PREAMBLE
from tests.bounds.test_mathtext import parsed_width
from tests.proofs.test_latex import compiled
from tests.variants.shelf import every_variant


def equations(variant: Variant) -> list[str]:
    of_map, of_derivative = definitions(variant)
    return [map_equation(variant), derivative_equation(variant), *of_map, *of_derivative]


@every_variant
def test_matplotlib_parses_every_equation_without_cases(variant: Variant) -> None:
    for equation in equations(variant):
        if r"\begin{cases}" not in equation:
            assert parsed_width(equation) > 10
            with pytest.raises(ValueError, match=r"Expected|Unknown|Parse"):
                parsed_width(equation + r"\frac{1}")


def test_cases_are_the_exception() -> None:
    every = [equation for variant in bounds.variants() for equation in equations(variant)]
    assert sum(r"\begin{cases}" in equation for equation in every) < len(every) / 20


@every_variant
def test_the_paragraph_holds_every_equation_once(variant: Variant) -> None:
    text = variant.latex()
    assert variant.title in text
    assert all(text.count(f"{equation}\n") + text.count(f"{equation} \\\\\n") == 1 for equation in equations(variant))
    assert (r"\left[" in text) == ("A condition in brackets" in text)


@every_variant
def test_notebooks_show_the_derivative(variant: Variant) -> None:
    assert variant._repr_latex_() == f"$\\displaystyle {derivative_equation(variant)}$"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex: install texlive-latex-extra")
def test_all_of_them_compile_and_fit_their_lines(tmp_path: Path) -> None:
    body = "\n".join(variant.latex() for variant in bounds.variants())
    done = compiled(tmp_path, f"{PREAMBLE}\\begin{{document}}\n{body}\\end{{document}}\n")
    assert done.returncode == 0
    wide = [line for line in done.stdout.splitlines() if line.startswith("Overfull")]
    assert [line for line in wide if float(line.split("(")[1].split("pt")[0]) > 40] == []
