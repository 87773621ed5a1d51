"""The Jacobian of a block against torch's autograd, and every refusal."""

from typing import Any

import numpy as np
import pytest

from certify.arithmetic.matrices import BallMatrix
from certify.attention_layer import Array
from certify.errors import ModelError
from certify.sublayer.enclosed import EnclosedSublayer
from certify.sublayer.sublayer import KINDS, Kind, Sublayer, SublayerProducts
from certify.sublayer.token_norm import TokenNorm
from tests.certify.layers import random_layer
from tests.certify.refusal import refused
from tests.certify.sublayer.small_cases import random_norm

torch = pytest.importorskip("torch")


def module(sublayer: Sublayer, heads: int, d: int) -> Any:
    """The same weights in torch's own attention, behind its own LayerNorm or RMSNorm."""
    layer, norm = sublayer.attention, sublayer.norm
    attention = torch.nn.MultiheadAttention(d, heads, batch_first=True).double()
    square = {role: getattr(layer, f"{role}_weight").reshape(d, d) for role in ("query", "key", "value")}
    assert layer.output_weight is not None
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.tensor(np.concatenate(list(square.values()))))
        biases = [getattr(layer, f"{role}_bias").reshape(d) for role in square]
        attention.in_proj_bias.copy_(torch.tensor(np.concatenate(biases)))
        attention.out_proj.weight.copy_(torch.tensor(layer.output_weight.reshape(d, d)))
        attention.out_proj.bias.copy_(torch.tensor(layer.output_bias))

    def normed(x):
        if norm is None:
            return x
        gamma, beta = torch.tensor(norm.gamma), torch.tensor(norm.beta)
        if norm.centred:
            return torch.nn.functional.layer_norm(x, (d,), gamma, beta, norm.eps)
        return torch.nn.functional.rms_norm(x, (d,), gamma, norm.eps) + beta

    def f(x):
        y = normed(x) if sublayer.kind == "pre-norm" else x
        total = x + attention(y[None], y[None], y[None], need_weights=False)[0][0]
        return normed(total) if sublayer.kind == "post-norm" else total

    return f


def torch_jacobian(sublayer: Sublayer, heads: int, X: Array) -> tuple[Array, Array]:
    f = module(sublayer, heads, X.shape[1])
    J = torch.autograd.functional.jacobian(f, torch.tensor(X))
    return f(torch.tensor(X)).detach().numpy(), J.numpy().reshape(X.size, X.size)


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_jacobian_and_output_are_those_of_torch(seed: int, kind: Kind, centred: bool) -> None:
    rng = np.random.default_rng(seed)
    d, heads = 6, 2
    norm = None if kind == "residual" else random_norm(rng, d, centred)
    sublayer = Sublayer(random_layer(seed, heads=heads, k=3, v=3, d=d), kind, norm)
    X = rng.standard_normal((4, d))
    output, J = torch_jacobian(sublayer, heads, X)
    products, enclosed = SublayerProducts(sublayer, X), EnclosedSublayer(sublayer, X)
    units = np.eye(X.size).reshape(-1, 4, d)
    assert sublayer.forward(X) == pytest.approx(output, abs=1e-11)
    assert np.stack([products.jvp(e).ravel() for e in units], 1) == pytest.approx(J, abs=1e-11)
    assert np.stack([products.vjp(e).ravel() for e in units]) == pytest.approx(J, abs=1e-11)
    balls = [enclosed.jvp(e) for e in units]
    assert np.stack([ball.mid.ravel() for ball in balls], 1) == pytest.approx(J, abs=1e-11)
    assert max(ball.rad.max() for ball in balls) < 1e-11


def test_the_attentions_enclosed_output_is_its_output() -> None:
    layer, X = random_layer(3), np.random.default_rng(3).standard_normal((4, 5))
    ball = EnclosedSublayer(Sublayer(layer, "residual"), X).activations.output
    assert isinstance(ball, BallMatrix)
    assert (np.abs(ball.mid - layer.forward(X)) <= ball.rad + 1e-13).all()


def test_refusals() -> None:
    layer, norm = random_layer(0), TokenNorm(np.ones(5), np.zeros(5), 1e-5)
    with refused(ModelError, "the block post-norm needs a norm: give its weight, bias and eps"):
        Sublayer(layer, "post-norm")
    words = "the block residual has no norm: leave it out, or name the kind post-norm or pre-norm"
    with refused(ModelError, words):
        Sublayer(layer, "residual", norm)
    with refused(ModelError, "the LayerNorm is for tokens of size 4, the attention's have 5"):
        Sublayer(layer, "pre-norm", TokenNorm(np.ones(4), np.zeros(4), 1e-5))
    with refused(ModelError, "no residual connection: tokens have size 5, the attention's outputs 6"):
        Sublayer(random_layer(0, output=False), "residual")
    with refused(ModelError, "a block is one of residual, post-norm, pre-norm, not 'prenorm'"):
        Sublayer(layer, "prenorm")  # type: ignore[arg-type]
