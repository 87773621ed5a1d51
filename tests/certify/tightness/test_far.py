"""Large scores and very many tokens: the scaled forms are the theorems', and the claims notice a false ratio."""

import math
from fractions import Fraction

import pytest

import bounds
from certify.inequality import Proved, Refuted, decide
from certify.tightness.far import (
    COMPACT,
    FEW,
    MANY,
    ONE_AT_HALF,
    SOME_AT_ODDS,
    far_claims,
    far_is_proved,
    small,
    v,
    w,
    y,
)
from certify.tightness.witness import TwoPlaces

ALONG = (Fraction(0), Fraction(0), Fraction(1), Fraction(0))


def theorem(name: str, n: int, rho: int) -> float:
    return float(bounds.theorem(name).evaluate(n=n, R=1, norm_A=rho, norm_a=0, norm_V=1))


@pytest.mark.parametrize(("n", "rho"), [(10**9, 12), (10**12, 20), (10**10, 300)])
def test_the_scaled_form_for_few_tokens(n: int, rho: int) -> None:
    scaled = float(FEW.subs({v: Fraction(1, rho), w: Fraction(1, n)})) * rho * math.sqrt(n)
    assert scaled == pytest.approx(theorem("compact-softmax-few-tokens", n, rho), rel=1e-12)


@pytest.mark.parametrize(("n", "rho"), [(4 * 10**10, 12), (3 * 10**17, 20)])
def test_the_other_scaled_forms(n: int, rho: int) -> None:
    steep = rho * math.exp(rho)
    values = {v: 1 / rho, small: math.exp(-rho), y: (n - 1) * math.exp(-2 * rho)}
    assert float(COMPACT.subs(values)) * steep == pytest.approx(theorem("compact-softmax", n, rho), rel=1e-12)
    assert float(MANY.subs(values)) * steep == pytest.approx(theorem("compact-softmax-many-tokens", n, rho), rel=1e-12)


@pytest.mark.parametrize(("n", "rho"), [(10**9, 12), (10**12, 20), (10**15, 300)])
def test_one_token_at_weight_one_half(n: int, rho: int) -> None:
    gap = Fraction(math.log(n - 1))
    cos = gap / (2 * rho)
    sin = Fraction(math.sqrt(1 - cos**2))
    head = TwoPlaces(1, Fraction(0), gap, False, 1, (Fraction(0), Fraction(0), cos, sin))
    reached = float(head.least((n, n), Fraction(rho), beyond=False))
    assert float(ONE_AT_HALF.subs(w, Fraction(1, n))) * math.sqrt(n) <= reached * (1 + 1e-9)


@pytest.mark.parametrize(("n", "rho"), [(4 * 10**10, 12), (3 * 10**12, 12), (10**18, 20)])
def test_some_tokens_at_the_largest_gap(n: int, rho: int) -> None:
    k = max(1, int(n * math.exp(-2 * rho) / 2))
    odds = (n - k) / k * math.exp(-2 * rho)
    assert 1 < odds <= 4
    reached = float(TwoPlaces(k, Fraction(0), None, False, 1, ALONG).least((n, n), Fraction(rho), beyond=False))
    assert float(SOME_AT_ODDS.subs(y, odds)) * math.exp(rho) <= reached * (1 + 1e-9)


def test_within_three_halves() -> None:
    assert far_is_proved(Fraction(3, 2))
    assert all(isinstance(decide(claim), Proved) for claim in far_claims(Fraction(3, 2)))


@pytest.mark.parametrize("case", range(3))
def test_a_ratio_below_the_truth_is_refuted(case: int) -> None:
    assert isinstance(decide(far_claims(Fraction(11, 10))[case]), Refuted)
    assert not far_is_proved(Fraction(11, 10))
