"""Exact arrays from torch parameters, and the refusal of modules whose output is not a fixed function of their input.

torch is imported here only while types are checked: whoever hands over a module has loaded it already.
"""

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .attention_layer import TensorSource
from .errors import ModelError, UnsupportedModelError

if TYPE_CHECKING:
    from torch import Tensor, nn

Array = NDArray[np.float64]
_FORMATS = {"torch.float64": "F64", "torch.float32": "F32", "torch.float16": "F16", "torch.bfloat16": "BF16"}


def class_name(module: object) -> str:
    """The module's class with its package, so that a subclass or look-alike is told apart."""
    return f"{type(module).__module__}.{type(module).__qualname__}"


def exact(name: str, tensor: "Tensor") -> tuple[Array, TensorSource]:
    """The tensor as float64, and its origin with the sha256 of its little-endian bytes.

    Raises ModelError for a type that does not convert exactly, a tensor without values, nan or infinity, naming it.
    """
    if tensor.is_meta:
        raise ModelError(f"{name} lies on the meta device and has no values: load the weights first")
    dtype = _FORMATS.get(str(tensor.dtype))
    if dtype is None:
        raise ModelError(f"{name} has type {tensor.dtype}: accepted are {', '.join(_FORMATS)}")
    data = tensor.detach().cpu().contiguous()
    values = data.double().numpy().copy()
    if not np.isfinite(values).all():
        raise ModelError(f"{name} holds nan or infinity: nothing can be proved about it")
    return values, TensorSource(name, dtype, tuple(tensor.shape), hashlib.sha256(_raw(data, dtype)).hexdigest())


def _raw(data: "Tensor", dtype: str) -> bytes:
    """The bytes as safetensors would store them; numpy has no bfloat16, which is the upper half of its float32."""
    if dtype == "BF16":
        return (data.float().numpy().view(np.uint32) >> 16).astype("<u2").tobytes()
    return data.numpy().astype(data.numpy().dtype.newbyteorder("<")).tobytes()


def linear(name: str, module: object, arrays: dict[str, Array], sources: dict[str, TensorSource], role: str) -> None:
    """Adds the weight and, if there is one, the bias of a plain torch Linear under `role`; refuses any other class.

    An adapter or quantised layer in the place of a Linear computes something else from the same attribute names.
    """
    if class_name(module) not in _LINEARS:
        raise UnsupportedModelError(f"{name} is a {class_name(module)}, not supported: only torch.nn.Linear is")
    refuse_hooks(name, module)
    plain: nn.Linear = module  # type: ignore[assignment]
    arrays[f"{role}_weight"], sources[f"{role}_weight"] = exact(f"{name}.weight", plain.weight)
    if plain.bias is not None:
        arrays[f"{role}_bias"], sources[f"{role}_bias"] = exact(f"{name}.bias", plain.bias)


_LINEARS = ("torch.nn.modules.linear.Linear", "torch.nn.modules.linear.NonDynamicallyQuantizableLinear")


def refuse_dropout(name: str, training: bool, rate: float) -> None:
    """Raises ModelError in training mode with dropout: the output is then random, and no Lipschitz constant exists."""
    if training and rate > 0:
        raise ModelError(f"{name} is in training mode with dropout {rate}, its output is random: call .eval() first")


def refuse_hooks(name: str, module: object) -> None:
    """Raises UnsupportedModelError for a module with forward hooks: they may change what it computes."""
    hooked: nn.Module = module  # type: ignore[assignment]
    if hooked._forward_hooks or hooked._forward_pre_hooks:
        raise UnsupportedModelError(f"{name} has forward hooks, which may change its output: remove them first")


def refuse_layer(name: str, layer: int | None) -> None:
    """Raises ModelError when a layer is chosen of a module that is one layer itself."""
    if layer is not None:
        raise ModelError(f"layer {layer} does not exist: {name} is one layer itself, choose none")
