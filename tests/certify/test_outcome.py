import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.outcome import Bound, Guarantee, NoBound, conclude, rounded

positive = st.floats(min_value=0.0, allow_nan=False, allow_infinity=False)


@given(positive, st.integers(1, 12))
def test_upper_bounds_are_printed_rounded_up_and_lower_bounds_down(value, digits) -> None:
    assert Decimal(rounded(value, digits, "upper")) >= Decimal(value)
    assert Decimal(rounded(value, digits, "lower")) <= Decimal(value)


@pytest.mark.parametrize(
    ("value", "side", "text"),
    [
        (1.00001, "upper", "1.0001"),
        (1.00009, "lower", "1.0000"),
        (9.99999, "upper", "10.000"),
        (123456.7, "upper", "123460"),
        (99999.9, "upper", "100000"),
        (1e-12, "lower", "9.9999e-13"),
        (0.0, "upper", "0"),
        (8.681863751200542e110, "upper", "8.6819e+110"),
    ],
)
def test_printed_text(value, side, text) -> None:
    assert rounded(value, 5, side) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1.0])
def test_what_is_no_bound_never_becomes_one(value) -> None:
    with pytest.raises(ValueError, match="is not a finite nonnegative bound"):
        Bound(value, "upper", Guarantee.PROVED, "any")
    outcome = conclude(value, "upper", Guarantee.PROVED, "any")
    assert isinstance(outcome, NoBound)
    assert str(value) in outcome.reason


def test_a_witness_is_never_an_upper_bound() -> None:
    with pytest.raises(ValueError, match="a witness is a lower bound, never an upper bound"):
        Bound(1.0, "upper", Guarantee.WITNESS, "any")


def test_the_json_shape_carries_the_exact_double() -> None:
    entry = Bound(21.7, "upper", Guarantee.PROVED, "heads-first", "local-covariance").as_json()
    assert entry == {
        "value": 21.7,
        "hex": (21.7).hex(),
        "guarantee": "proved",
        "method": "heads-first",
        "theorem": "local-covariance",
    }
