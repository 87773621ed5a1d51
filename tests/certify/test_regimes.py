"""Which theorem is least where: every interval holds at points inside it, every crossing has a change of sign."""

from fractions import Fraction
from typing import Any

import pytest

import bounds
from bounds import Theorem
from certify.enclose import enclose
from certify.errors import InputError, NoEnclosure
from certify.regimes import Regime, crossings, regimes

compact, published, mean_field, causal, hardy = (
    bounds.theorem(theorem_id)
    for theorem_id in (
        "compact-softmax",
        "compact-softmax-published",
        "mean-field-published",
        "compact-softmax-causal",
        "compact-softmax-causal-hardy",
    )
)
ONE: dict[str, Any] = {"norm_A": 1, "norm_a": 0, "norm_V": 1}
NARROW = Fraction(1, 10**7)


def winners(found: tuple[Regime, ...]) -> list[Theorem | None]:
    return [regime.theorem for regime in found]


def value(theorem: Theorem, **values: Any) -> float:
    """At exact numbers the enclosure is no wider than two doubles."""
    environment = {symbol: values[str(symbol)] for symbol in theorem.symbols}
    return enclose(theorem.expr, environment).upper


def test_the_published_theorems_cross_once_and_where_plain_numbers_say() -> None:
    values = {**ONE, "n": 100}
    found = regimes([published, mean_field], "R", (0, 4), values, NARROW)
    assert winners(found) == [mean_field, None, published]
    assert (found[0].lower, found[-1].upper) == (0, 4)
    ((lower, upper),) = crossings(found)
    assert 0 < upper - lower < 20 * NARROW
    assert value(mean_field, **values, R=lower) < value(published, **values, R=lower)
    assert value(mean_field, **values, R=upper) > value(published, **values, R=upper)


def test_causal_heads_of_small_and_large_radius() -> None:
    values = {**ONE, "n": 60}
    found = regimes([causal, hardy, published], "R", (0, 3), values, Fraction(1, 10**4))
    assert winners(found) == [hardy, None, causal]
    for regime in found:
        for k in range(5):
            at = regime.lower + (regime.upper - regime.lower) * Fraction(k, 4)
            numbers = {theorem: value(theorem, **values, R=at) for theorem in (causal, hardy, published)}
            assert regime.theorem is None or min(numbers, key=lambda theorem: numbers[theorem]) is regime.theorem


def test_the_compact_bound_wins_from_just_above_zero_where_two_forms_touch() -> None:
    found = regimes([compact, mean_field], "R", (0, 2), {**ONE, "n": 3}, Fraction(1, 10**4))
    assert winners(found) == [None, compact]
    assert found[0].upper < Fraction(1, 100)
    assert crossings(found) == ()


def test_the_number_of_tokens_as_a_real_letter() -> None:
    found = regimes([published, mean_field], "n", (1, 1000), {**ONE, "R": 1}, NARROW)
    assert winners(found) == [published, None, mean_field]
    ((lower, upper),) = crossings(found)
    # sqrt(3 (4 n + 1 + n)) = 4 e^2 has the solution n = (16 e^4 - 3) / 15
    assert lower < (16 * 54.598150033144236 - 3) / 15 < upper


def test_a_sum_of_tokens_needs_an_integer() -> None:
    with pytest.raises(NoEnclosure, match="is not one exact integer"):
        regimes([causal, published], "n", (1, 2), {**ONE, "R": 1}, Fraction(1, 4))


@pytest.mark.parametrize(("theorems", "between"), [([compact], (0, 1)), ([compact, hardy], (1, 1))])
def test_too_little_to_compare_is_refused(theorems: list[Theorem], between: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="two theorems at least, a range from less to more"):
        regimes(theorems, "R", between, {**ONE, "n": 3})
