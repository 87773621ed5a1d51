import dataclasses

import numpy as np
import pytest
import torch

from certify.attention_layer import AttentionLayer
from certify.errors import InputError, ModelError
from tests.certify.layers import causal, random_layer

CASES = [
    pytest.param({"heads": 1}, 6, id="one head"),
    pytest.param({"heads": 3, "k": 2, "v": 4, "d": 7}, 5, id="values of another size"),
    pytest.param({"heads": 2, "output": False}, 4, id="heads side by side"),
    pytest.param({"heads": 2, "score_bias": causal(6)}, 6, id="causal"),
    pytest.param({"heads": 2}, 1, id="one token"),
    pytest.param({"heads": 2, "gain": 8.0}, 6, id="saturated"),
]


def torch_map(layer: AttentionLayer):
    """The same map written a second time, straight from its definition, in torch float64."""
    t = {f.name: getattr(layer, f.name) for f in dataclasses.fields(layer)}
    t = {name: torch.from_numpy(a) for name, a in t.items() if isinstance(a, np.ndarray)}

    def f(X: torch.Tensor) -> torch.Tensor:
        outputs = []
        for h in range(layer.heads):
            q, k, v = (X @ t[f"{m}_weight"][h].T + t[f"{m}_bias"][h] for m in ("query", "key", "value"))
            s = layer.scale * q @ k.T
            if layer.score_bias is not None:
                s = s + t["score_bias"]
            o = torch.softmax(s, -1) @ v
            outputs.append(o @ t["output_weight"][:, h].T if layer.output_weight is not None else o)
        if layer.output_weight is None:
            return torch.cat(outputs, -1)
        return sum(outputs) + t["output_bias"]  # type: ignore[return-value]

    return f


@pytest.mark.parametrize(("options", "n"), CASES)
def test_forward_and_jacobian_products_agree_with_autograd(options, n) -> None:
    layer = random_layer(1, **options)
    rng = np.random.default_rng(2)
    X, E = rng.standard_normal((2, n, layer.width))
    f = torch_map(layer)
    value, tangent = torch.func.jvp(f, (torch.from_numpy(X),), (torch.from_numpy(E),))[:2]
    G = rng.standard_normal(tuple(value.shape))
    pullback = torch.func.vjp(f, torch.from_numpy(X))[1](torch.from_numpy(G))[0]
    for ours, theirs in (
        (layer.forward(X), value),
        (layer.jvp(X, E), tangent),
        (layer.vjp(X, G), pullback),
    ):
        reference = theirs.detach().numpy()
        assert np.abs(ours - reference).max() <= 1e-12 * max(np.abs(reference).max(), 1e-300)


def test_a_row_that_sees_nothing_has_the_defined_value_zero() -> None:
    mask = np.zeros((3, 3))
    mask[1] = -np.inf
    layer = random_layer(3, heads=1, output=False, score_bias=mask)
    X = np.random.default_rng(0).standard_normal((3, layer.width))
    assert (layer.forward(X)[1] == 0).all()
    assert np.isfinite(layer.jvp(X, X)).all()
    assert (layer.jvp(X, X)[1] == 0).all()


def test_head_takes_one_head_and_its_own_score_bias() -> None:
    layer = random_layer(4, heads=2, output=False, score_bias=np.stack([causal(4), np.zeros((4, 4))]))
    X = np.random.default_rng(0).standard_normal((4, layer.width))
    side_by_side = np.concatenate([layer.head(h).forward(X) for h in range(2)], axis=1)
    np.testing.assert_array_equal(layer.forward(X), side_by_side)


def test_a_head_that_does_not_exist_is_named() -> None:
    with pytest.raises(ModelError, match=r"^head 2 does not exist: the layer has heads 0 to 1$"):
        random_layer(0).head(2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"key_weight": np.ones((2, 4, 5))}, r"key_weight has shape \(2, 4, 5\): expected \(2, 3, 5\)"),
        ({"query_bias": np.ones((2, 4))}, r"query_bias has shape \(2, 4\): expected \(2, 3\)"),
        ({"value_weight": np.ones((2, 3))}, r"value_weight has shape \(2, 3\)"),
        ({"output_weight": None}, "output_bias without output_weight"),
        ({"query_bias": np.full((2, 3), np.nan)}, "query_bias holds nan: every weight must be finite"),
        ({"score_bias": np.full((4, 4), np.inf)}, "score_bias holds inf"),
        ({"key_bias": np.ones((2, 3), dtype=np.float32)}, "key_bias has dtype float32: give float64"),
        ({"scale_squared": 0}, "scale_squared is 0: the scale of the scores must be positive"),
    ],
)
def test_a_layer_that_contradicts_itself_is_refused_by_name(change, message) -> None:
    with pytest.raises(ModelError, match=message):
        dataclasses.replace(random_layer(0), **change)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.ones((3, 4)), r"the input has shape \(3, 4\): this layer takes \(n, 5\) with n >= 1"),
        (np.ones((0, 5)), r"the input has shape \(0, 5\)"),
        (np.array([[1.0, 2.0, np.nan, 4.0, 5.0]]), "the input is nan at token 0, entry 2: every entry must be finite"),
        (np.ones((2, 5), dtype=int), "the input has dtype int64: give float16, float32 or float64"),
    ],
)
def test_unusable_tokens_are_refused_by_name(X, message) -> None:
    with pytest.raises(InputError, match=message):
        random_layer(0).check_tokens(X)


def test_tokens_must_fit_the_score_bias() -> None:
    with pytest.raises(InputError, match="the input has 3 tokens, the score bias is for 4"):
        random_layer(0, score_bias=causal(4)).check_tokens(np.ones((3, 5)))
