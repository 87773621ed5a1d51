import hashlib

import numpy as np
import pytest
import torch
from safetensors.torch import save

from certify.errors import ModelError, UnsupportedModelError
from certify.torch_weights import exact, linear, refuse_dropout, refuse_hooks, refuse_layer
from tests.certify.refusal import refused

TYPES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}


@pytest.mark.parametrize(("dtype", "name"), TYPES.items())
def test_values_are_exact_and_the_hash_is_of_the_bytes_that_safetensors_stores(dtype: torch.dtype, name: str) -> None:
    tensor = torch.randn(5, 3, dtype=torch.float64).to(dtype).T  # not contiguous
    values, source = exact("w", tensor)
    assert (values == tensor.double().numpy()).all()
    assert (source.tensor, source.dtype, source.shape) == ("w", name, (3, 5))
    assert source.sha256 == hashlib.sha256(save({"w": tensor.contiguous()})[-tensor.nbytes :]).hexdigest()


def test_the_arrays_are_copies() -> None:
    tensor = torch.ones(2, dtype=torch.float64)
    values, _ = exact("w", tensor)
    tensor[0] = 5.0
    assert values[0] == 1.0


@pytest.mark.parametrize("dtype", [torch.int8, torch.complex64])
def test_other_types_are_refused_by_name(dtype: torch.dtype) -> None:
    accepted = "torch.float64, torch.float32, torch.float16, torch.bfloat16"
    with refused(ModelError, f"w has type {dtype}: accepted are {accepted}"):
        exact("w", torch.ones(2, dtype=dtype))


def test_a_tensor_without_values_is_refused() -> None:
    with refused(ModelError, "w lies on the meta device and has no values: load the weights first"):
        exact("w", torch.ones(2, device="meta"))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(bad: float) -> None:
    with refused(ModelError, "w holds nan or infinity: nothing can be proved about it"):
        exact("w", torch.tensor([1.0, bad]))


def test_a_look_alike_of_linear_is_refused_by_name() -> None:
    class Adapter(torch.nn.Linear):
        pass

    name = f"{__name__}.{Adapter.__qualname__}"
    with refused(UnsupportedModelError, f"query is a {name}, not supported: only torch.nn.Linear is"):
        linear("query", Adapter(2, 2), {}, {}, "query")


def test_a_linear_with_hooks_is_refused() -> None:
    module = torch.nn.Linear(2, 2)
    linear("query", module, {}, {}, "query")
    module.register_forward_hook(lambda *_: None)
    with refused(UnsupportedModelError, "query has forward hooks, which may change its output: remove them first"):
        linear("query", module, {}, {}, "query")


def test_hooks_before_the_forward_pass_are_refused_too() -> None:
    module = torch.nn.Identity()
    refuse_hooks("it", module)
    module.register_forward_pre_hook(lambda *_: None)
    with refused(UnsupportedModelError, "it has forward hooks, which may change its output: remove them first"):
        refuse_hooks("it", module)


def test_dropout_matters_in_training_mode_only() -> None:
    refuse_dropout("it", training=False, rate=0.1)
    refuse_dropout("it", training=True, rate=0.0)
    message = "it is in training mode with dropout 0.1, its output is random: call .eval() first"
    with refused(ModelError, message):
        refuse_dropout("it", training=True, rate=0.1)


def test_a_module_has_no_layers() -> None:
    refuse_layer("it", None)
    with refused(ModelError, "layer 0 does not exist: it is one layer itself, choose none"):
        refuse_layer("it", 0)
