"""Every formula in the small TeX of matplotlib, which the pictures use: fast, and no pdflatex needed."""

import pytest
from matplotlib.mathtext import MathTextParser

import bounds
from bounds import Theorem
from bounds.latex import formula

every_theorem = pytest.mark.parametrize("theorem", [pytest.param(t, id=t.id) for t in bounds.theorems()])


def parsed_width(text: str) -> float:
    return MathTextParser("path").parse(f"${text}$").width


@every_theorem
def test_every_formula_is_parsed(theorem: Theorem) -> None:
    assert parsed_width(formula(theorem)) > 3


@every_theorem
def test_a_broken_formula_is_not(theorem: Theorem) -> None:
    with pytest.raises(ValueError, match=r"Expected|Unknown|Parse"):
        parsed_width(formula(theorem) + r"\frac{1}")
