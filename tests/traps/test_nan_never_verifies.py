"""`max(nan) <= tol` is False, and code that tests for failure then "verifies". Here nan is refused everywhere."""

import math

import numpy as np
import pytest

from certify.arithmetic.interval import Interval
from certify.arithmetic.matrices import BallMatrix
from certify.derivation import derive
from certify.errors import InputError, NoEnclosure
from certify.method import Enclosed
from certify.norms import euclidean_norm_upper, largest_eigenvalue_upper, spectral_norm, vector_norm
from certify.outcome import NoBound
from certify.situation import Situation
from certify.upper import methods
from tests.certify.layers import random_layer

UNKNOWN = BallMatrix(np.full((3, 3), np.nan), np.zeros((3, 3)))


def test_the_trap_itself() -> None:
    residuals = [math.nan]
    failed = max(residuals) > 1e-9
    assert not failed  # "did not fail" is no proof


@pytest.mark.parametrize("norm", [spectral_norm, largest_eigenvalue_upper, euclidean_norm_upper, vector_norm])
def test_no_norm_of_an_unknown_matrix_is_a_number(norm) -> None:
    with pytest.raises(NoEnclosure):
        norm(UNKNOWN)


@pytest.mark.parametrize("ends", [(math.nan, 1.0), (0.0, math.nan), (math.nan, math.nan), (0.0, math.inf), (1.0, 0.0)])
def test_no_interval_holds_nan_or_infinity(ends) -> None:
    with pytest.raises(NoEnclosure, match="is no enclosure"):
        Interval(*ends)


def test_a_method_without_information_gives_no_bound() -> None:
    def unknown() -> Enclosed:
        return Enclosed({"schur_column": Interval.point(float(spectral_norm(UNKNOWN).upper))})

    outcome = derive("local-schur", "point", random_layer(0, heads=1), unknown)
    assert isinstance(outcome.bound, NoBound)
    assert "unknown" in outcome.bound.reason


AT_INPUT = [method for method in methods() if method.domain != "layernorm"]  # that set does not depend on the input


@pytest.mark.parametrize("method", AT_INPUT, ids=lambda m: m.theorem)
def test_activations_beyond_any_double_give_no_bound(method) -> None:
    """Scores overflow here; a bound of any size would be unproved."""
    layer = random_layer(0, heads=1, output=False, gain=1e150)
    X = 1e150 * np.ones((3, layer.width))
    situation = Situation(layer, X)
    outcome = derive(method.theorem, method.domain, layer, lambda: method.enclosed(situation))
    assert isinstance(outcome.bound, NoBound)


def test_nan_never_enters_as_an_input() -> None:
    with pytest.raises(InputError, match="nan"):
        random_layer(0).check_tokens(np.full((2, 5), np.nan))
