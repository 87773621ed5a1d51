"""Closed forms side by side as a booktabs table for a paper, numbers rounded up."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bounds.notation import NOTATION, by_name

from ..closed_forms import ClosedForm
from ..outcome import Bound

DIGITS = 4


def latex_table(values: Mapping[str, int | Fraction], forms: Sequence[ClosedForm]) -> str:
    """`\\begin{tabular}` in the order of `forms`, under a comment that says for which norms; needs booktabs."""
    rows = (rf"{form.theorem.title} & {_source(form)} & {_value(form)} \\" for form in forms)
    return "\n".join(
        (
            f"% {_given(values)}; every bound is rounded up",
            r"\begin{tabular}{llr}",
            r"\toprule",
            rf"${_letters(values)}$ & source & bound \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            "\\end{tabular}\n",
        )
    )


def _source(form: ClosedForm) -> str:
    return "new" if form.theorem.source == "new" else rf"\cite{{{form.theorem.source}}}"


def _value(form: ClosedForm) -> str:
    """A number in math mode; a dash where there is none."""
    if not isinstance(form.bound, Bound):
        return "---"
    mantissa, _, exponent = form.bound.shown(DIGITS).partition("e")
    return f"${mantissa}$" if not exponent else rf"${mantissa} \cdot 10^{{{int(exponent)}}}$"


def _given(values: Mapping[str, int | Fraction]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _letters(values: Mapping[str, int | Fraction]) -> str:
    return r",\; ".join(f"{NOTATION[by_name(name)].latex} = {value}" for name, value in values.items())
