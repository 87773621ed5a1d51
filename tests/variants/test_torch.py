"""The map and its closed form against torch's own map and automatic differentiation, saturated points included."""

import pytest
import torch
from torch import Tensor

import bounds
from bounds import Variant
from tests.variants.at_a_point import Point, point
from tests.variants.shelf import every_variant
from tests.variants.torch_maps import MAPS

RELATIVE = 1e-11
SATURATED = 4.0


def relative_difference(found: Tensor, expected: Tensor) -> float:
    """Largest difference of two entries over the largest entry; 0 where nothing differs, be it all 0."""
    if torch.equal(found, expected):
        return 0.0
    return float((found - expected).abs().max() / expected.abs().max())


def differentiated(at: Point) -> tuple[Tensor, Tensor]:
    """The torch map at a point, and its derivative along the directions."""
    inputs = tuple(at.tensor(letter) for letter in at.variant.inputs)
    directions = tuple(at.tensor(letter) for letter in at.variant.inputs.values())
    value, derivative = torch.func.jvp(at.torch_map, inputs, directions)[:2]
    return value, derivative


def test_every_variant_has_a_torch_map() -> None:
    assert set(MAPS) == {variant.id for variant in bounds.variants()}


@pytest.mark.parametrize(("spread", "seed"), [(1.0, 0), (1.0, 1), (SATURATED, 2)])
@every_variant
def test_map_and_closed_form_are_those_of_torch(variant: Variant, spread: float, seed: int) -> None:
    at = point(variant, spread, seed)
    value, derivative = differentiated(at)
    assert relative_difference(at.of(variant.map), value) <= RELATIVE
    assert relative_difference(at.of(variant.differential), derivative) <= RELATIVE


@every_variant
def test_the_derivation_is_that_of_torch(variant: Variant) -> None:
    at = point(variant, seed=3)
    assert relative_difference(at.of(variant.derive()), differentiated(at)[1]) <= RELATIVE
