"""`certify.layer`: the kinds of input it takes, the least ones included."""

import numpy as np
import pytest

import certify
from certify.attention_layer import AttentionLayer
from certify.errors import CertificateError, InputError
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
    assert isinstance(certificate.layer, AttentionLayer)
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


def probable(**options) -> LayerCertificate:
    return certify.layer(module(), np.random.default_rng(3).normal(size=(5, 6)), tier="probable", **options)


def test_a_probable_bound_is_never_called_proved() -> None:
    found = probable(failure=1e-9)
    assert isinstance(found.layer, AttentionLayer)
    norm = np.linalg.norm(dense_jacobian(found.layer, found.X), 2)
    assert isinstance(found.upper, Bound)
    assert (found.upper.guarantee, found.upper.theorem) == (Guarantee.PROBABLE, "local-chebyshev")
    assert norm * (1 - 1e-12) <= found.upper.value <= norm * 1.02
    summary = found.summary()
    assert summary["failure_probability"] == 1e-9
    assert {c["guarantee"] for c in summary["candidates"] if c["theorem"] != "local-chebyshev"} == {"proved"}
    assert "step" not in summary["upper"]
    assert not any(step["theorem"] == "local-chebyshev" for step in found.as_json()["proof"]["steps"])


def test_a_seed_repeats_a_probable_bound_and_a_fresh_one_is_told() -> None:
    first, second = probable(), probable()
    seed = first.summary()["seed"]
    assert seed != second.summary()["seed"]
    assert probable(seed=int(seed, 16)).upper == first.upper != second.upper


def test_one_head_alone_has_a_probable_bound() -> None:
    found = probable(head=1)
    assert isinstance(found.layer, AttentionLayer)
    norm = np.linalg.norm(dense_jacobian(found.layer.head(1), found.X), 2)
    assert isinstance(found.upper, Bound)
    assert found.upper.guarantee is Guarantee.PROBABLE
    assert norm * (1 - 1e-12) <= found.upper.value <= norm * 1.02


def test_the_report_tells_the_probability() -> None:
    text = " ".join(probable(failure=1e-9, seed=255).table().split())
    assert (
        "each such bound fails with probability at most 1e-09 over the random numbers drawn here (seed 0xff)." in text
    )
    assert "(probable)" in text


def test_no_certificate_of_random_numbers(tmp_path) -> None:
    message = "a probable bound cannot be proved again, so no certificate is saved: take another tier, or --json"
    with refused(CertificateError, message):
        probable().save(tmp_path / "cert")
    assert not (tmp_path / "cert").exists()


@pytest.mark.parametrize("options", [{"failure": 0.5}, {"seed": 3}])
def test_random_numbers_for_a_tier_that_draws_none(options) -> None:
    ((name, value),) = options.items()
    message = f"{name} is {value}, but the tier tight draws no random numbers: take the tier probable"
    with refused(InputError, message):
        certify.layer(module(), np.ones((2, 6)), **options)
