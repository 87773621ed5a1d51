"""The constants of rounding to nearest, and the refusal to work without it."""

import ctypes
import platform
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from certify.arithmetic.nearest import UNIT, gamma, require_nearest, up
from certify.errors import NoEnclosure

X86_LINUX = sys.platform == "linux" and platform.machine() == "x86_64"
MXCSR = 7  # the eighth 32-bit word of fenv_t there
FLUSH_RESULTS, SUBNORMALS_ARE_ZERO, UPWARD, DOWNWARD, TOWARDS_ZERO = 0x8000, 0x0040, 0x4000, 0x2000, 0x6000


@pytest.fixture
def switch() -> Iterator[Callable[[int], None]]:
    """Sets bits of the processor's control word, and puts it back afterwards."""
    library = ctypes.CDLL(None)
    saved, changed = (ctypes.c_uint32 * 8)(), (ctypes.c_uint32 * 8)()
    library.fegetenv(saved)
    library.fegetenv(changed)

    def set_bits(bits: int) -> None:
        changed[MXCSR] |= bits
        library.fesetenv(changed)

    yield set_bits
    library.fesetenv(saved)


@pytest.mark.parametrize("count", [1, 2, 3, 768, 10**6, 2**40])
def test_gamma_is_an_upper_bound_and_close(count: int) -> None:
    exact = count * Fraction(UNIT) / (1 - count * Fraction(UNIT))
    assert exact <= Fraction(gamma(count)) <= exact * (1 + Fraction(1, 2**50))


def test_gamma_of_no_rounding_is_zero() -> None:
    assert gamma(0) == 0.0


@pytest.mark.parametrize("count", [-1, 2**40 + 1])
def test_gamma_refuses_what_it_does_not_know(count: int) -> None:
    with pytest.raises(NoEnclosure, match=f"a sum of {count} terms"):
        gamma(count)


def test_up_covers_six_roundings() -> None:
    for value in np.random.default_rng(0).random(1000):
        computed = Fraction(float(up(value)))
        assert computed >= Fraction(float(value)) / (1 - Fraction(UNIT)) ** 6


def test_this_thread_rounds_to_nearest() -> None:
    require_nearest()


@pytest.mark.skipif(not X86_LINUX, reason="sets the control word of x86 processors")
@pytest.mark.parametrize("bits", [FLUSH_RESULTS, SUBNORMALS_ARE_ZERO, UPWARD, DOWNWARD, TOWARDS_ZERO])
def test_another_rounding_is_refused(switch: Callable[[int], None], bits: int) -> None:
    switch(bits)
    with pytest.raises(NoEnclosure, match="does not round to nearest with gradual underflow"):
        require_nearest()
