"""The user's own input points, from a .npy file or a tensor, taken exactly or refused."""

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .attention_layer import AttentionLayer
from .errors import InputError


def read_array(path: str | PathLike[str], layer: AttentionLayer) -> NDArray[np.float64]:
    """The points (n, d) that `layer` is to be given; float16 and float32 convert exactly, other types are refused.

    Raises InputError for a file that is missing or no .npy array (Python objects are never unpickled), and whatever
    `AttentionLayer.check_tokens` refuses.
    """
    try:
        values = np.load(Path(path), allow_pickle=False)
    except (ValueError, EOFError, MemoryError):
        raise _not_npy(path) from None
    except OSError as error:
        raise InputError(f"cannot read the input {path}: {error.strerror or error}") from None
    if not isinstance(values, np.ndarray):  # a .npz archive
        values.close()
        raise _not_npy(path)
    return layer.check_tokens(values)


def as_array(x: Any) -> NDArray[Any]:
    """A torch tensor's values, off its graph and device; bfloat16, which numpy lacks, as the same doubles."""
    if not type(x).__module__.startswith("torch"):
        return np.asarray(x)
    values = x.detach().cpu()
    return (values.double() if str(values.dtype) == "torch.bfloat16" else values).numpy()


def _not_npy(path: str | PathLike[str]) -> InputError:
    return InputError(f"the input {path} is not a .npy array of numbers: write it with numpy.save")
