"""Zero is believed only where SymPy shows it and two points do not contradict it."""

import pytest
import sympy as sp

from certify.inequality import vanishing
from certify.inequality.vanishing import vanishes

x, y = sp.symbols("x y", real=True)
root = sp.sqrt((1 - x / (1 + x)) ** 2 + (x / (1 + x)) ** 2)


@pytest.mark.parametrize(
    "expr",
    [
        (x + y) ** 2 - x**2 - 2 * x * y - y**2,
        root - sp.sqrt(1 + x**2) / (1 + x),
        sp.exp(x) ** 2 - sp.exp(2 * x),
        sp.sqrt(x**2 * y) - x * sp.sqrt(y),
        1 / (1 + x) + x / (1 + x) - 1,
    ],
)
def test_zero(expr: sp.Expr) -> None:
    least = {x: sp.Integer(0), y: sp.Integer(0)}
    assert vanishes(expr, least)
    assert not vanishes(expr + sp.Rational(1, 10**30), least)


def test_a_root_of_a_square_is_the_number_only_where_it_is_positive() -> None:
    assert vanishes(sp.sqrt(x**2) - x, {x: sp.Integer(0)})
    assert not vanishes(sp.sqrt(x**2) - x)
    assert not vanishes(sp.sqrt(x**2) - x, {x: sp.Integer(-1)})


def test_a_wrong_yes_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vanishing, "_is_zero", lambda expr: True)
    assert not vanishes(x - sp.Rational(1, 1000) * x**2)
