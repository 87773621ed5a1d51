"""Asymptotics of the closed forms: what SymPy says agrees with plain numbers far out."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy as sp

import bounds
from bounds import Theorem
from bounds.hypotheses import CAUSAL, UNMASKED
from bounds.notation import n as tokens
from bounds.regimes import for_large_scores, for_many_tokens, n, near_zero, over_value_norm, rho, without_sums

ON_A_BALL = [
    t
    for t in bounds.theorems()
    if (t.map, t.domain, t.norm, t.kind) == ("softmax", "ball", "l2", "upper")
    and {UNMASKED, CAUSAL}.issuperset(t.hypotheses)
    and {"n", "R", "norm_A", "norm_a", "norm_V"}.issuperset(map(str, t.symbols))
]
every_form = pytest.mark.parametrize("theorem", [pytest.param(theorem, id=theorem.id) for theorem in ON_A_BALL])


def number(expr: sp.Expr, rho_value: Fraction | int, n_value: int) -> Any:
    """To 30 digits, sums term by term."""
    with mpmath.workdps(30):
        function = sp.lambdify((rho, n), expr, "mpmath")
        return function(mpmath.mpf(rho_value.numerator) / rho_value.denominator, n_value)


@every_form
def test_near_zero(theorem: Theorem) -> None:
    """The error of the polynomial of degree one falls with the square of rho."""
    form, polynomial = over_value_norm(theorem), near_zero(theorem)
    small = Fraction(1, 1000)
    error = number(form, small, 5) - number(polynomial, small, 5)
    assert 0 < abs(error) < 1e-4


@pytest.mark.parametrize("rho_value", [1, 2])
@every_form
def test_for_many_tokens(theorem: Theorem, rho_value: int) -> None:
    """Beside a root of log n a constant dies very slowly, hence so many tokens."""
    growth, form = for_many_tokens(theorem), without_sums(over_value_norm(theorem))
    far = 10**6000
    ratio = number(form, rho_value, far) / number(growth.factor * growth.scale, rho_value, far)
    assert ratio == pytest.approx(1, abs=0.02)


def test_sums_in_closed_form() -> None:
    form = over_value_norm(bounds.theorem("compact-softmax-causal"))
    assert form.has(sp.Sum)
    assert not without_sums(form).has(sp.Sum)
    assert number(without_sums(form), 2, 50) == pytest.approx(number(form, 2, 50), rel=1e-20)


def test_sums_of_another_kind_are_refused() -> None:
    i = sp.Symbol("i")
    total: Any = sp.Sum(1 / (1 + i**2 * sp.exp(-rho)), (i, 0, n - 1))
    with pytest.raises(ValueError, match="no closed form is known for the sum of"):
        without_sums(total)


@every_form
def test_for_large_scores(theorem: Theorem) -> None:
    growth = for_large_scores(theorem)
    ratio = number(over_value_norm(theorem), 10**6, 7) / number(growth.factor * growth.scale, 10**6, 7)
    assert ratio == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("theorem_id", "factor", "scale"),
    [
        ("compact-softmax", rho + sp.sqrt(1 + rho**2) * sp.exp(rho), sp.S.One),
        ("compact-softmax-causal", sp.sqrt(1 + rho**2) * sp.exp(rho), sp.sqrt(sp.log(n))),
        ("compact-softmax-published", sp.sqrt(3) * sp.sqrt(1 + 4 * rho**2), sp.sqrt(n)),
        ("mean-field-published", (1 + 3 * rho) * sp.exp(2 * rho), sp.S.One),
    ],
)
def test_the_known_growth_in_tokens(theorem_id: str, factor: sp.Expr, scale: sp.Expr) -> None:
    growth = for_many_tokens(bounds.theorem(theorem_id))
    assert sp.simplify(growth.factor - factor) == 0
    assert growth.scale == scale


def test_the_mean_field_limit_has_half_the_published_exponent() -> None:
    new, published = (for_many_tokens(bounds.theorem(i)).factor for i in ("compact-softmax", "mean-field-published"))
    assert sp.limit(sp.log(new) / rho, rho, sp.oo) == 1
    assert sp.limit(sp.log(published) / rho, rho, sp.oo) == 2


@pytest.mark.parametrize("theorem_id", ["local-schur", "compact-layernorm", "heads-joined"])
def test_theorems_about_something_else_are_refused(theorem_id: str) -> None:
    with pytest.raises(ValueError, match=f"{theorem_id} is no closed form in n and rho: take a theorem on a ball"):
        over_value_norm(bounds.theorem(theorem_id))


def test_the_letters_are_not_those_of_the_notation() -> None:
    """Positive ones here, for SymPy's limits; the form holds none of the notation's."""
    assert n != tokens
    assert all(not over_value_norm(theorem).has(tokens) for theorem in ON_A_BALL)
