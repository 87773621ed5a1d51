"""Reading the tensors of a safetensors file with every length checked, as exact floats."""

import hashlib
import json
import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .document import regular_file
from .report import Refused, Unreadable

LONGEST_HEADER = 1 << 27
LARGEST_FILE = 1 << 42


@dataclass(frozen=True)
class Header:
    """Where each tensor lies: name -> dtype, shape, data_offsets relative to `origin`."""

    path: Path
    origin: int
    size: int
    tensors: Mapping[str, Any]


def open_file(model: str | Path) -> Header:
    """The header of `model`, a file or a folder with model.safetensors.

    Raises:
        Unreadable: no such file, or no safetensors header.
    """
    path = Path(model)
    try:
        path = path / "model.safetensors" if path.is_dir() else path
        size = regular_file(path, LARGEST_FILE).stat().st_size
        with path.open("rb") as file:
            first = file.read(8)
            length = struct.unpack("<Q", first)[0] if len(first) == 8 else size
            if length > min(size - 8, LONGEST_HEADER):
                raise Unreadable(f"{path}: not a safetensors file (its header is longer than the file)")
            tensors = json.loads(file.read(length), object_pairs_hook=_once)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: its safetensors header is no JSON ({error})") from error
    if not isinstance(tensors, dict):
        raise Unreadable(f"{path}: its safetensors header is no JSON object")
    return Header(path, 8 + length, size, tensors)


def read_tensor(header: Header, place: str, stored: Mapping[str, Any]) -> list[float]:
    """The numbers of the tensor that the certificate names, once dtype, shape, place and hash agree.

    Raises:
        Refused: the file holds something else than the certificate says.
    """
    found = header.tensors.get(stored["tensor"])
    if not isinstance(found, dict):
        raise Refused(f"{place}.tensor", f"{header.path.name} has no tensor {stored['tensor']!r}")
    for field in ("dtype", "shape"):
        if found.get(field) != stored[field]:
            raise Refused(f"{place}.{field}", f"{stored[field]} differs from {found.get(field)} in {header.path.name}")
    raw = _raw(header, place, found)
    size, decode = FORMATS[stored["dtype"]]
    if len(raw) != size * math.prod(stored["shape"]):
        raise Refused(f"{place}.shape", f"{stored['shape']} does not fit the tensor's {len(raw)} bytes")
    if hashlib.sha256(raw).hexdigest() != stored["sha256"]:
        raise Refused(f"{place}.sha256", f"differs from the hash of {stored['tensor']!r} in {header.path.name}")
    values = decode(raw)
    if not all(map(math.isfinite, values)):
        raise Refused(place, f"{stored['tensor']!r} holds nan or infinity")
    return values


def _raw(header: Header, place: str, found: Mapping[str, Any]) -> bytes:
    match found.get("data_offsets"):
        case [int(start), int(end)] if 0 <= start <= end <= header.size - header.origin:
            pass
        case offsets:
            raise Refused(place, f"the tensor's offsets {offsets} lie outside {header.path.name}")
    try:
        with header.path.open("rb") as file:
            file.seek(header.origin + start)
            return file.read(end - start)
    except OSError as error:
        raise Unreadable(f"{header.path}: {error.strerror}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a name stands twice")
    return result


def _bfloat16(raw: bytes) -> list[float]:
    """bfloat16 is the upper half of a float32."""
    halves = struct.unpack(f"<{len(raw) // 2}H", raw[: len(raw) // 2 * 2])
    return list(struct.unpack(f"<{len(halves)}f", struct.pack(f"<{len(halves)}I", *(half << 16 for half in halves))))


def _plain(code: str, size: int) -> Callable[[bytes], list[float]]:
    return lambda raw: list(struct.unpack(f"<{len(raw) // size}{code}", raw))


FORMATS: Mapping[str, tuple[int, Callable[[bytes], list[float]]]] = {
    "F64": (8, _plain("d", 8)),
    "F32": (4, _plain("f", 4)),
    "F16": (2, _plain("e", 2)),
    "BF16": (2, _bfloat16),
}
