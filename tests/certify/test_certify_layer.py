"""`certify.layer`: the kinds of input it takes, the least ones included."""

import numpy as np
import pytest

import certify
from certify.errors import InputError
from certify.layer_certificate import LayerCertificate
from certify.outcome import Bound, Guarantee
from tests.certify.layers import dense_jacobian
from tests.certify.refusal import refused

torch = pytest.importorskip("torch")


def module(seed: int = 0, **options: bool):
    torch.manual_seed(seed)
    return torch.nn.MultiheadAttention(6, 2, **options).double()


def assert_encloses(certificate: LayerCertificate) -> None:
    """Upper and lower enclose the largest singular value of the dense Jacobian."""
    norm = np.linalg.norm(dense_jacobian(certificate.layer, certificate.X), 2)
    assert isinstance(certificate.upper, Bound)
    assert certificate.upper.guarantee is Guarantee.PROVED
    assert certificate.lower.guarantee is Guarantee.WITNESS
    assert certificate.lower.value <= norm * (1 + 1e-12) + 1e-300
    assert norm * (1 - 1e-12) <= certificate.upper.value


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_dense_norm_lies_between(n: int) -> None:
    assert_encloses(certify.layer(module(), np.random.default_rng(n).normal(size=(n, 6))))


def test_one_token_is_the_linear_map_of_values() -> None:
    found = certify.layer(module(), np.ones((1, 6)))
    V = found.layer.value_weight.reshape(6, 6)
    assert found.layer.output_weight is not None
    norm = np.linalg.norm(found.layer.output_weight.reshape(6, 6) @ V, 2)
    assert found.lower.value == pytest.approx(norm, rel=1e-9)


def test_radius_zero() -> None:
    """All tokens zero: the weights are uniform, and every theorem on the ball still speaks."""
    found = certify.layer(module(), np.zeros((4, 6)))
    assert_encloses(found)
    for raced in found.heads:
        assert all(isinstance(c.bound, Bound) for c in raced.candidates)


def test_a_tensor_that_requires_a_gradient_is_the_same_input() -> None:
    X = torch.randn(4, 6, dtype=torch.float64, requires_grad=True)
    a, b = certify.layer(module(), X), certify.layer(module(), X.detach().numpy())
    assert (a.upper, a.lower) == (b.upper, b.lower)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_short_floats_are_taken_exactly(dtype) -> None:
    X = torch.randn(4, 6).to(dtype)
    found = certify.layer(module(), X)
    assert found.X.dtype == np.float64
    assert np.array_equal(found.X, X.double().numpy())


def test_an_integer_tensor() -> None:
    with refused(InputError, "the input has dtype int64: give float16, float32 or float64"):
        certify.layer(module(), torch.ones(4, 6, dtype=torch.int64))


def test_a_module_cannot_read_a_text() -> None:
    message = "MultiheadAttention cannot read a text: give the layer's input as an array (n, d)"
    with refused(InputError, message):
        certify.layer(module())


def test_zero_weights() -> None:
    zero = module()
    for parameter in zero.parameters():
        torch.nn.init.zeros_(parameter)
    found = certify.layer(zero, np.ones((3, 6)))
    assert isinstance(found.upper, Bound)
    assert (found.lower.value, found.ratio) == (0.0, None)
    assert found.upper.value <= 1e-150
