from typing import Any

import numpy as np
import pytest
import torch

from certify.errors import ModelError, UnsupportedModelError
from certify.loaders import load
from tests.certify.refusal import refused
from tests.certify.transformers_bert import relative_error


def module(dtype: torch.dtype = torch.float64, **options: Any) -> torch.nn.MultiheadAttention:
    """Every parameter random: torch starts biases at zero, which would hide that they are dropped."""
    torch.manual_seed(0)
    made = torch.nn.MultiheadAttention(12, 3, batch_first=True, **options).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made.to(dtype)


def separate() -> torch.nn.MultiheadAttention:
    """The layout of other key and value widths, with the widths of self-attention."""
    made = module(kdim=11)
    made.kdim = 12
    made.k_proj_weight = torch.nn.Parameter(torch.randn(12, 12, dtype=torch.float64))
    return made


CASES = {
    "fused": module,
    "without bias": lambda: module(bias=False),
    "separate": separate,
    "dropout in evaluation": lambda: module(dropout=0.5),
    "float32": lambda: module(torch.float32),
    "float16": lambda: module(torch.float16),
    "bfloat16": lambda: module(torch.bfloat16),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("n", [1, 6])
def test_the_attention_is_that_of_torch(case: str, n: int) -> None:
    made = CASES[case]()
    X = np.random.default_rng(0).normal(size=(n, 12))
    loaded = load(made)
    with torch.no_grad():
        points = torch.from_numpy(X)[None]
        expected = made.double()(points, points, points, need_weights=False)[0][0].numpy()
    assert relative_error(loaded.attention.forward(X), expected) <= 1e-10


def test_what_surrounds_the_attention() -> None:
    loaded = load(module(torch.float16))
    assert loaded.name == "MultiheadAttention"
    assert (loaded.layer, loaded.norm_image, loaded.hidden_states, loaded.weights_path) == (None,) * 4
    assert loaded.facts == {"heads": 3, "d": 12, "k": 4, "dtype": "F16"}
    assert loaded.attention.sources["key_weight"].tensor == "in_proj_weight[12:24]"
    assert loaded.attention.sources["output_bias"].tensor == "out_proj.bias"


def test_training_mode_with_dropout() -> None:
    message = "MultiheadAttention is in training mode with dropout 0.1, its output is random: call .eval() first"
    with refused(ModelError, message):
        load(module(dropout=0.1).train())
    assert load(module(dropout=0.0).train()).attention.heads == 3


VARIANTS = [
    ({"add_bias_kv": True}, "with add_bias_kv=True is not supported: it attends to one more, constant token"),
    ({"add_zero_attn": True}, "with add_zero_attn=True is not supported: it attends to one more, zero token"),
    ({"kdim": 5}, "with kdim=5, vdim=12 and embed_dim=12 is not self-attention"),
    ({"vdim": 7}, "with kdim=12, vdim=7 and embed_dim=12 is not self-attention"),
]


@pytest.mark.parametrize(("options", "reason"), VARIANTS)
def test_variants_are_refused_by_name(options: dict[str, Any], reason: str) -> None:
    with refused(UnsupportedModelError, f"MultiheadAttention {reason}"):
        load(module(**options))


def test_weights_that_are_not_finite() -> None:
    made = module()
    assert made.in_proj_weight is not None
    with torch.no_grad():
        made.in_proj_weight[13, 2] = torch.inf
    with refused(ModelError, "in_proj_weight[12:24] holds nan or infinity: nothing can be proved about it"):
        load(made)


def test_hooks() -> None:
    made = module()
    made.register_forward_hook(lambda *_: None)
    message = "MultiheadAttention has forward hooks, which may change its output: remove them first"
    with refused(UnsupportedModelError, message):
        load(made)


def test_a_layer_of_a_module() -> None:
    with refused(ModelError, "layer 3 does not exist: MultiheadAttention is one layer itself, choose none"):
        load(module(), 3)
