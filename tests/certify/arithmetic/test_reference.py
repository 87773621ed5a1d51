"""What is particular to the reference engine: the remainder of its Taylor sum, and a logarithm that needs no trust."""

import math
import threading
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from mpmath.libmp import finf, fnan, fninf, from_float

from certify.arithmetic import reference
from certify.arithmetic.reference import REFERENCE
from certify.errors import NoEnclosure


def fractions(x: Any) -> tuple[Fraction, Fraction]:
    (low, e), (high, f) = x.ends()
    return Fraction(low) * Fraction(2) ** e, Fraction(high) * Fraction(2) ** f


def test_the_remainder_covers_a_shortened_taylor_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 3 terms the remainder, not rounding, decides: the sum must widen and still hold e**(2**-16)."""
    monkeypatch.setattr(reference, "_TERMS", 3)
    monkeypatch.setattr(reference, "_COEFFICIENTS", reference._COEFFICIENTS[:3])
    lower, upper = fractions(REFERENCE.exp(REFERENCE.number(Fraction(1, 2**16))))
    truth = sum(Fraction(1, 2 ** (16 * k)) / math.factorial(k) for k in range(12))
    assert lower < truth < upper
    assert upper - lower < Fraction(1, 2**45)


@pytest.mark.parametrize("error", [-0.5, -1e-6, 1e-6, 0.5])
def test_a_wrong_approximation_cannot_break_the_logarithm(monkeypatch: pytest.MonkeyPatch, error: float) -> None:
    truth = REFERENCE.log(REFERENCE.number(7))
    monkeypatch.setattr(reference, "mpf_log", lambda raw, precision: from_float(1.9459101490553132 + error))
    (low, high), (lower, upper) = fractions(truth), fractions(REFERENCE.log(REFERENCE.number(7)))
    assert lower <= low <= high <= upper
    assert upper - lower <= 2 * error**2


def test_exp_beyond_its_range_is_refused_above_and_enclosed_below() -> None:
    with pytest.raises(NoEnclosure, match=r"exp of a number above 2\*\*64 overflows"):
        REFERENCE.exp(REFERENCE.number(2**64 + 1))
    assert REFERENCE.bounds(REFERENCE.exp(REFERENCE.number(-(2**70)))).upper == 5e-324


def test_infinite_and_undefined_mpmath_numbers_carry_no_information() -> None:
    for raw in (finf, fninf, fnan):
        with pytest.raises(NoEnclosure, match="overflow or nan in mpmath"):
            reference._dyadic(raw)


def test_the_global_interval_context_neither_matters_nor_changes() -> None:
    saved = mpmath.iv.prec
    mpmath.iv.prec = 10
    try:
        lower, upper = fractions(REFERENCE.number(1) / 3)
        assert upper - lower < Fraction(1, 2**250)
        assert mpmath.iv.prec == 10
    finally:
        mpmath.iv.prec = saved


def test_threads_do_not_disturb_each_other() -> None:
    expected = REFERENCE.exp(REFERENCE.number(4.3)).ends()
    found: list[object] = []

    def work() -> None:
        for _ in range(50):
            found.append(REFERENCE.exp(REFERENCE.number(4.3)).ends())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 200
