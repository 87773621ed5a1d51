"""Reading safetensors byte by byte: every weight is the exact number in the file, its hash is of the file's bytes."""

import hashlib
import json
import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .attention_layer import TensorSource
from .errors import ModelError

Array = NDArray[np.float64]


def _widen_bfloat16(raw: bytes) -> NDArray[np.floating]:
    """bfloat16 is the upper half of a float32: shifting the bits is exact."""
    return (np.frombuffer(raw, dtype="<u2").astype(np.uint32) << 16).view(np.float32)


@dataclass(frozen=True)
class FloatFormat:
    """How a float format of the file becomes a numpy array, exactly."""

    size: int
    decode: Callable[[bytes], NDArray[np.floating]]


FORMATS: Mapping[str, FloatFormat] = {
    "F64": FloatFormat(8, lambda raw: np.frombuffer(raw, dtype="<f8")),
    "F32": FloatFormat(4, lambda raw: np.frombuffer(raw, dtype="<f4")),
    "F16": FloatFormat(2, lambda raw: np.frombuffer(raw, dtype="<f2")),
    "BF16": FloatFormat(2, _widen_bfloat16),
}


@dataclass(frozen=True)
class Entry:
    """One tensor as the header describes it; start and end count from the beginning of the file."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True)
class SafetensorsFile:
    """A file whose header was read and checked; tensors are read when asked for."""

    path: Path
    entries: Mapping[str, Entry]

    def read(self, name: str, shape: tuple[int, ...]) -> tuple[NDArray[np.floating], TensorSource]:
        """The tensor in a float type that holds every entry exactly, and where it comes from.

        Raises ModelError for a tensor that is missing, has another shape or an inexact type, or holds nan or infinity.
        """
        entry = self._entry(name, shape)
        with self.path.open("rb") as file:
            file.seek(entry.start)
            raw = file.read(entry.end - entry.start)
        values = FORMATS[entry.dtype].decode(raw).reshape(shape)
        if not np.isfinite(values).all():
            raise ModelError(f"tensor {name} in {self.path} holds nan or infinity: nothing can be proved about it")
        return values, TensorSource(name, entry.dtype, entry.shape, hashlib.sha256(raw).hexdigest())

    def _entry(self, name: str, shape: tuple[int, ...]) -> Entry:
        entry = self.entries.get(name)
        if entry is None:
            raise ModelError(f"{self.path} lacks the tensor {name}: is it the model that config.json describes?")
        if entry.shape != shape:
            raise ModelError(f"tensor {name} in {self.path} has shape {entry.shape}, config.json asks for {shape}")
        if entry.dtype not in FORMATS:
            raise ModelError(f"tensor {name} in {self.path} has type {entry.dtype}: accepted are {', '.join(FORMATS)}")
        return entry


def open_safetensors(path: Path) -> SafetensorsFile:
    """Reads and checks the header.

    Raises ModelError, in one line, for a file that cannot be read, is cut short, or whose header is not JSON, repeats a
    name or describes bytes that the file does not have.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = _header_length(path, file.read(8), size)
            header = file.read(length)
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    try:
        described = json.loads(header.decode("utf-8"), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise _malformed(path, f"its header is not JSON ({error})") from None
    if not isinstance(described, dict):
        raise _malformed(path, "its header is not a JSON object")
    described.pop("__metadata__", None)
    entries = {name: _checked(path, name, item, 8 + length, size) for name, item in described.items()}
    return SafetensorsFile(path, entries)


def _malformed(path: Path, reason: str) -> ModelError:
    return ModelError(f"{path} is not a whole safetensors file: {reason}; fetch it again")


def _header_length(path: Path, first: bytes, size: int) -> int:
    if len(first) < 8:
        raise _malformed(path, f"it has {size} bytes, a header begins with 8")
    (length,) = struct.unpack("<Q", first)
    if length > size - 8:
        raise _malformed(path, f"its header claims {length} bytes, the file has {size - 8} after the first 8")
    return length


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A repeated name would let two readers see two tensors under one hash."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("a name is repeated")
    return result


def _checked(path: Path, name: str, item: object, origin: int, size: int) -> Entry:
    """One header entry as `Entry`, or ModelError when its description contradicts itself or the file."""
    match item:
        case {"dtype": str(dtype), "shape": list(shape), "data_offsets": [int(start), int(end)]}:
            pass
        case _:
            raise _malformed(path, f"tensor {name} has no dtype, shape and data_offsets")
    if not all(type(side) is int and side >= 0 for side in shape):
        raise _malformed(path, f"tensor {name} has the shape {shape}")
    if not (0 <= start <= end <= size - origin):
        raise _malformed(path, f"tensor {name} lies at bytes {start} to {end}, the data has {size - origin}")
    if dtype in FORMATS and end - start != math.prod(shape) * FORMATS[dtype].size:
        raise _malformed(path, f"tensor {name} of type {dtype} and shape {shape} has {end - start} bytes")
    return Entry(dtype, tuple(shape), origin + start, origin + end)
