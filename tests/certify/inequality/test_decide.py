"""Branch and bound: true claims are proved, false ones refuted at a point, and what cannot be seen is undecided."""

from fractions import Fraction

import pytest
import sympy as sp

from certify.arithmetic.interval import Interval
from certify.enclose import enclose
from certify.inequality import Claim, ClaimError, HalfLine, Inverse, Proved, Refuted, Segment, Undecided, decide

x, y, u, E, n, v = sp.symbols("x y u E n v", real=True)
E_1 = sp.Symbol("E_1", real=True)  # exp(-x) / (1 - u)
third = sp.Rational(1, 3)
SQUARED = x**2 - 2 * third * x + third**2  # not seen to be a square
UNIT = (Segment(x, 0, 1),)
SQUARE = (Segment(x, 0, 1), Segment(y, 0, 1))
HALF_LINE = (HalfLine(x, u, E),)
QUADRANT = (HalfLine(x, u, E), Inverse(n, v))

TRUE = {
    "on an interval": Claim(x**2 - x + third, UNIT, strict=True),
    "least inside, just above zero": Claim(x**2 - x + sp.Rational(251, 1000), UNIT, strict=True),
    "two variables": Claim(1 + x * y - x - y + sp.Rational(1, 1000), SQUARE, strict=True),
    "roots and a maximum": Claim(sp.Max(sp.sqrt(1 + x), y) - 1 + x**2, SQUARE),
    "on a half line": Claim(
        x**2 - x + third, HALF_LINE, True, 1 / (1 + x) ** 2, u**2 - u * (1 - u) + third * (1 - u) ** 2
    ),
    "a decay": Claim(1 - 2 * x * sp.exp(-x), HALF_LINE, True, sp.S.One, 1 - 2 * u * E_1),
    "a half line that starts elsewhere": Claim(x - 2, (HalfLine(x, u, E, 2),), False, 1 / (x - 1), u),
    "a count": Claim(n + 1 / n - 2 + third, (Inverse(n, v),), True, 1 / n, 1 + v**2 - (2 - third) * v),
    "a quadrant": Claim(
        1 + (n - 1) * sp.exp(-2 * x) - n * sp.exp(-3 * x), QUADRANT, False, 1 / n, v * (1 - E**2) + E**2 * (1 - E)
    ),
}
TIGHT = {
    "zero at one end": Claim(sp.exp(x) - 1 - x, UNIT),
    "zero at the upper end": Claim(1 - x**3, UNIT),
    "zero at both ends": Claim(x * (1 - x) * (2 - x), UNIT),
    "to the third order": Claim(sp.exp(x) - 1 - x - x**2 / 2, UNIT),
    "to the second order at the upper end": Claim((1 - x) ** 2 * (1 + sp.exp(x)) - (1 - x) ** 3, UNIT),
    "on two edges": Claim(sp.exp(x * y) - 1 - x * y * sp.exp(-x), SQUARE),
    "on a half line, from zero": Claim(
        1 - sp.exp(-x) - x * sp.exp(-x), HALF_LINE, False, 1 / (1 + x), (1 - u) * (1 - E) - u * E
    ),
    "at infinity only": Claim(sp.exp(-x), HALF_LINE, False, sp.S.One, E),
}
FALSE = {
    "somewhere inside": Claim(x**2 - x + sp.Rational(249, 1000), UNIT),
    "close to one end": Claim(x - x**2 / 1000 - sp.Rational(1, 10**6), UNIT),
    "far out": Claim(1000 - x, HALF_LINE),
    "zero, where more is claimed": Claim(x, UNIT, strict=True),
    "by very little": Claim(sp.exp(x) - 1 - x - sp.Rational(501, 1000) * x**2 + third / 10**9, UNIT),
    "for large n only": Claim(1000 - n, (Inverse(n, v),)),
    "with a multiplier": Claim(1 - x * sp.exp(-x) * 3, HALF_LINE, False, 1 / (1 + x), 1 - u - 3 * u * E),
}
HIDDEN = {
    "zero inside the box": Claim(SQUARED, UNIT),
    "zero along a diagonal": Claim(x**2 - 2 * x * y + y**2, SQUARE),
    "strict, but zero at infinity": Claim(sp.exp(-x), HALF_LINE, True, sp.S.One, E),
    "no form for infinity": Claim(x**2 - x + 1, HALF_LINE),
    "undefined at one end": Claim(1 / x, UNIT),
    "undefined inside": Claim(1 / (x - third) ** 2, UNIT),
    "undefined everywhere": Claim(sp.log(x - 2) ** 2, UNIT),
    "a function without a rule": Claim(2 + sp.sin(x), UNIT),
}


def by_name(claims: dict[str, Claim]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("claim", [pytest.param(claim, id=name) for name, claim in claims.items()])


@by_name(TRUE)
def test_true_claims_are_proved(claim: Claim) -> None:
    assert isinstance(decide(claim), Proved)


@by_name(TIGHT)
def test_claims_with_equality_on_the_boundary_are_proved(claim: Claim) -> None:
    assert isinstance(decide(claim), Proved)


@by_name(TIGHT)
def test_and_fail_when_more_than_zero_is_claimed(claim: Claim) -> None:
    more = Claim(claim.expr, claim.axes, True, claim.multiplier, claim.form)
    assert not isinstance(decide(more, budget=300), Proved)


@by_name(TRUE | TIGHT)
def test_the_opposite_is_refuted(claim: Claim) -> None:
    form = None if claim.form is None else -claim.form
    assert isinstance(decide(Claim(-claim.expr, claim.axes, claim.strict, claim.multiplier, form)), Refuted)


@by_name(FALSE)
def test_false_claims_are_refuted_at_a_point_where_they_fail(claim: Claim) -> None:
    verdict = decide(claim)
    assert isinstance(verdict, Refuted)
    value = enclose(claim.expr, verdict.point)
    assert value == verdict.value
    assert value.upper < 0 or (claim.strict and value.upper <= 0)
    for axis in claim.axes:
        assert verdict.point[axis.symbol] >= axis.least


@by_name(HIDDEN)
def test_what_cannot_be_seen_is_undecided(claim: Claim) -> None:
    verdict = decide(claim, budget=300)
    assert isinstance(verdict, Undecided)
    assert set(verdict.box) == {axis.coordinate for axis in claim.axes}
    assert verdict.boxes <= 302


def test_the_worst_box_is_named() -> None:
    verdict = decide(Claim(SQUARED, UNIT), budget=100)
    assert isinstance(verdict, Undecided)
    lower, upper = verdict.box[x]
    assert lower <= Fraction(1, 3) <= upper < lower + Fraction(1, 4)
    assert verdict.lower < 0


def test_a_budget_of_nothing_decides_no_tight_claim() -> None:
    assert isinstance(decide(TRUE["least inside, just above zero"], budget=0), Undecided)


def test_a_refutation_is_a_value_of_the_claim_not_of_the_form() -> None:
    verdict = decide(FALSE["with a multiplier"])
    assert isinstance(verdict, Refuted)
    assert verdict.value == Interval(
        *(getattr(enclose(1 - 3 * x * sp.exp(-x), verdict.point), end) for end in ("lower", "upper"))
    )


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (Claim(x + y, UNIT), "the claim uses y, for which there is no axis"),
        (Claim(x, UNIT, form=x + u), "the form uses u, for which there is no axis"),
        (Claim(x, UNIT, multiplier=x), "the multiplier x is not seen to be positive"),
        (Claim(x, UNIT, multiplier=x - 2), "the multiplier x - 2 is not seen to be positive"),
        (Claim(x, HALF_LINE, form=u), "the form u is not seen to be 1 times the claim"),
        (Claim(sp.exp(-x) - x, HALF_LINE, False, 1 / (1 + x), E * (1 - u) + u), "the form .* is not seen to be"),
    ],
)
def test_claims_that_do_not_hold_together_are_refused(claim: Claim, message: str) -> None:
    with pytest.raises(ClaimError, match=message):
        decide(claim)
