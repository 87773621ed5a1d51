"""The random bound: at 1e-12 never below a norm known to 200 digits, at 1/2 as often as stated, and near the norm."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.polynomial import chebyshev as polynomials

from bounds import theorem
from certify.activations import Activations
from certify.arithmetic.arb import ARB
from certify.arithmetic.interval import Interval
from certify.attention_layer import Array, AttentionLayer
from certify.chebyshev.chance import Chance
from certify.chebyshev.perturbation import perturbed
from certify.chebyshev.recurrence import Run, amplification, chebyshev, enclosed, recurrence
from certify.enclose import enclose
from certify.errors import NoEnclosure
from certify.method import Enclosed
from tests.certify.gram.exact_jacobian import norm_below
from tests.certify.gram.test_deflation import small_case
from tests.certify.layers import random_layer
from tests.certify.refusal import refused

THEOREM = theorem("local-chebyshev")
RARE, EVEN = 1e-12, 0.5


def upper(found: Enclosed) -> float:
    names = {str(symbol): symbol for symbol in THEOREM.symbols}
    return enclose(THEOREM.expr, {names[n]: v for n, v in found.values.items() if isinstance(v, Interval)}).upper


def plain() -> tuple[AttentionLayer, Array, float]:
    layer = random_layer(1)
    X = np.random.default_rng(2).standard_normal((4, layer.width))
    return layer, X, norm_below(layer, X)


def attack(seeds: range) -> None:
    """Levels at the norm, far below, far above, and none at all."""
    near = 0
    for seed in seeds:
        layer, X = small_case(seed)
        exact = norm_below(layer, X)
        jacobian = perturbed(Activations(layer, X))
        for level in (exact, 0.3 * exact, 7.0 * exact, 0.0):
            value = upper(chebyshev(jacobian, level, Chance(RARE, seed), 0))
            assert value >= exact, (seed, level, value, exact)
            if level == exact and jacobian.error <= 1e-10 * exact:
                assert value <= 1.02 * exact, (seed, value, exact)
                near += 1
    assert near > len(seeds) / 3


def test_never_below_the_norm_to_200_digits() -> None:
    attack(range(120))


@pytest.mark.slow
def test_three_thousand_small_layers() -> None:
    attack(range(40_000, 43_000))


@pytest.mark.parametrize("pairs", [1, 2])
def test_at_one_half_it_fails_as_often_as_the_overlap_does(pairs: int) -> None:
    """At a level below the norm the leading part is all that is left: P(Poisson(c^2 / 2) >= pairs) is 0.39 and 0.26."""
    layer, X, exact = plain()
    jacobian = perturbed(Activations(layer, X))
    failures = 0
    for seed in range(400):
        chance = Chance(EVEN, seed)
        run = recurrence(jacobian, chance.start(X.shape, pairs, 0), 0.3 * exact, 24)
        failures += upper(enclosed(run, chance.overlap(pairs))) < exact
    expected = 1 - math.exp(-0.5) if pairs == 1 else 1 - 2 * math.exp(-1.0)
    assert failures / 400 <= EVEN
    assert failures / 400 == pytest.approx(expected, abs=0.08)


@pytest.mark.parametrize("name", ["weights", "value_weight", "output"])
def test_wrong_products_are_caught(name: str) -> None:
    layer, X, exact = plain()
    good = perturbed(Activations(layer, X))
    bad = replace(good, factors=replace(good.factors, **{name: 0.5 * getattr(good.factors, name)}))
    assert upper(chebyshev(good, 0.3 * exact, Chance(RARE, 0), 0)) >= exact
    assert upper(chebyshev(bad, 0.3 * exact, Chance(RARE, 0), 0)) < exact


def test_a_wrong_recurrence_is_caught() -> None:
    """W_{j+1} = M W_j / l - W_{j-1}, the 2 forgotten."""
    layer, X, exact = plain()
    jacobian = perturbed(Activations(layer, X))
    calls = []

    def forgetful(product, columns):
        calls.append(len(columns))
        return [product(column) * (1.0 if len(calls) == 1 else 0.5) for column in columns]

    assert upper(chebyshev(jacobian, exact, Chance(RARE, 0), 0)) >= exact
    assert upper(chebyshev(jacobian, 0.3 * exact, Chance(RARE, 0), 0, forgetful)) < exact
    assert len(calls) > 10


def test_a_wrong_degree_or_a_forgotten_overlap_is_caught() -> None:
    layer, X, exact = plain()
    jacobian = perturbed(Activations(layer, X))
    chance = Chance(RARE, 0)
    run = recurrence(jacobian, chance.start(X.shape, 2, 0), 0.3 * exact, 40)
    assert upper(enclosed(run, chance.overlap(2))) >= exact
    twice = replace(run, residuals=(0.0,) * 80)  # every product counted as two
    assert upper(enclosed(twice, chance.overlap(2))) < exact
    assert upper(enclosed(run, 1e3)) < exact


def test_residuals_hold_what_rounding_does_to_the_vectors() -> None:
    """Each step again in long doubles from the vectors of doubles."""
    layer, X, exact = plain()
    jacobian = perturbed(Activations(layer, X))
    J = np.stack([layer.jvp(X, e.reshape(X.shape)).ravel() for e in np.eye(X.size)], axis=1)
    seen: list[Array] = []

    def each(product, columns):
        seen.append(columns)
        return [product(column) for column in columns]

    run = recurrence(jacobian, Chance(RARE, 1).start(X.shape, 1, 0), exact, 12, each)
    flat = [columns.reshape(len(columns), -1).astype(np.longdouble).T for columns in seen]
    for step in range(1, 11):
        M = (J if step % 2 == 0 else J.T).astype(np.longdouble)
        residual = flat[step + 1] - (2 * M @ flat[step] / np.longdouble(exact) - flat[step - 1])
        assert np.linalg.norm(residual.astype(float)) <= run.residuals[step] + 1e-13 * np.linalg.norm(J)
    assert max(run.residuals) <= 1e-10


def test_columns_may_be_shared_out_in_any_way() -> None:
    layer, X, exact = plain()
    jacobian = perturbed(Activations(layer, X))

    def backwards(product, columns):
        return [product(column) for column in columns[::-1]][::-1]

    one, other = (chebyshev(jacobian, exact, Chance(RARE, 3), 0, each) for each in (map, backwards))
    assert one.values == other.values


def test_growth_of_the_polynomials() -> None:
    for s in (1.0, 1.0 + 2.0**-52, 1.01, 2.5):
        top, second = amplification(ARB.number(s), 9)
        assert ARB.bounds(top).lower == pytest.approx(polynomials.chebval(s, [0] * 9 + [1]))
        for j, weight in enumerate(second):
            derivative = polynomials.chebder([0] * (9 - j) + [1])  # T_m' = m U_{m-1}
            assert ARB.bounds(weight).upper == pytest.approx(polynomials.chebval(s, derivative) / (9 - j))


def test_noise_as_large_as_the_overlap() -> None:
    with refused(NoEnclosure, "the rounding errors may hide the whole random start: no random bound"):
        enclosed(Run(1.0, 1.0, (0.5, 0.5, 0.5)), 0.1)


def test_every_residual_counts() -> None:
    quiet = Run(1.0, 1.0, (0.0,) * 5)
    for place in range(5):
        noisy = replace(quiet, residuals=tuple(1e-3 * (j == place) for j in range(5)))
        assert upper(enclosed(noisy, 0.1)) > upper(enclosed(quiet, 0.1)) * (1 + 1e-6)


def test_vectors_that_overflow() -> None:
    layer, X, _ = plain()
    with refused(NoEnclosure, "the vectors of the recurrence overflow: no random bound"):
        recurrence(perturbed(Activations(layer, X)), np.ones((2, *X.shape)), 2.0**-1023, 3)
