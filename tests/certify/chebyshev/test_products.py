"""Products by factors against those of the layer, and against their own transposes."""

import numpy as np
import pytest

from certify.activations import Activations
from certify.chebyshev.perturbation import perturbed
from tests.certify.layers import causal, random_layer

LAYERS = {
    "plain": random_layer(0),
    "one head": random_layer(1, heads=1, output=False),
    "masked": random_layer(2, k=2, v=4, score_bias=causal(5)),
    "blind": random_layer(3, score_bias=np.full((5, 5), -np.inf)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_the_closed_form_and_its_transpose(name: str) -> None:
    layer, rng = LAYERS[name], np.random.default_rng(4)
    X, E = rng.standard_normal((2, 5, layer.width))
    factors = perturbed(Activations(layer, X)).factors
    image = layer.jvp(X, E)
    G = rng.standard_normal(image.shape)
    assert np.allclose(factors.jvp(E), image, rtol=1e-12, atol=1e-13)
    assert np.allclose(factors.vjp(G), layer.vjp(X, G), rtol=1e-12, atol=1e-13)
