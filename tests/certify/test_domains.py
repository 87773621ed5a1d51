import numpy as np
import pytest

from certify.domains import Ball, LayerNormImage, Point
from certify.errors import InputError
from tests.certify.refusal import refused

HALF = np.array([0.5, 0.25])


def test_a_point_is_a_private_frozen_copy() -> None:
    given = np.ones((2, 3))
    point = Point(given)
    given[0, 0] = 7.0
    assert point.tokens[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        point.tokens[0, 0] = 2.0


@pytest.mark.parametrize("shape", [(3,), (0, 3), (3, 0), (1, 2, 3)])
def test_a_point_has_tokens_and_width(shape: tuple[int, ...]) -> None:
    with refused(InputError, f"a point has shape (tokens, width), both at least 1; got {shape}"):
        Point(np.zeros(shape))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_no_domain(bad: float) -> None:
    with refused(InputError, "a point has finite entries; got nan or infinity"):
        Point(np.array([[1.0, bad]]))
    for gamma, beta in ((np.array([1.0, bad]), HALF), (HALF, np.array([1.0, bad]))):
        with refused(InputError, "a LayerNorm has a finite weight and bias; got nan or infinity"):
            LayerNormImage(gamma, beta, 1e-12)


def test_a_ball_may_have_radius_zero() -> None:
    assert Ball(0.0).radius == 0.0


@pytest.mark.parametrize("radius", [-1.0, np.inf, np.nan])
def test_a_ball_has_a_finite_radius(radius: float) -> None:
    with refused(InputError, f"the radius of a ball is a finite number at least 0; got {radius}"):
        Ball(radius)


@pytest.mark.parametrize("eps", [-1e-12, np.inf, np.nan])
def test_a_layernorm_has_an_eps(eps: float) -> None:
    with refused(InputError, f"the eps of a LayerNorm is a finite number at least 0; got {eps}"):
        LayerNormImage(HALF, HALF, eps)


@pytest.mark.parametrize(("gamma", "beta"), [((2,), (3,)), ((1, 2), (1, 2)), ((0,), (0,))])
def test_a_layernorm_has_one_width(gamma: tuple[int, ...], beta: tuple[int, ...]) -> None:
    with refused(InputError, f"a LayerNorm has weight and bias of one shape (width,); got {gamma} and {beta}"):
        LayerNormImage(np.ones(gamma), np.ones(beta), 1e-12)


@pytest.mark.parametrize("eps", [0.0, 1e-12, 1.0])
@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e6])
def test_everything_a_layernorm_produces_lies_in_the_set_whatever_eps_is(eps: float, scale: float) -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=(200, 8)) * scale
    y[:100, 0] += 100 * scale  # near the largest |z|
    centred = y - y.mean(1, keepdims=True)
    z = centred / np.sqrt((centred**2).mean(1, keepdims=True) + eps)
    assert np.all(np.linalg.norm(z, axis=1) <= np.sqrt(8) * (1 + 1e-14))
    assert np.all(np.abs(z.sum(1)) <= 1e-13)
