"""A model file is believed only where every length, type and hash is right."""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from certify.checker import Refused, Unreadable
from certify.checker.safetensors_file import open_file, read_tensor

RAW = struct.pack("<2f", 1.5, -2.0)


def stored(**changes: Any) -> dict[str, Any]:
    return {"tensor": "w", "dtype": "F32", "shape": [2], "sha256": hashlib.sha256(RAW).hexdigest(), **changes}


def write(path: Path, header: object, data: bytes = RAW) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def header(**changes: Any) -> dict[str, Any]:
    return {"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changes}}


def test_numbers_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "model.safetensors", header())
    for model in (path, tmp_path):
        assert read_tensor(open_file(model), "here", stored()) == [1.5, -2.0]


@pytest.mark.parametrize(
    ("in_file", "in_certificate", "place", "reason"),
    [
        ({}, {"tensor": "v"}, "here.tensor", "model.safetensors has no tensor 'v'"),
        ({}, {"dtype": "F64"}, "here.dtype", "F64 differs from F32"),
        ({}, {"shape": [1, 2]}, "here.shape", "[1, 2] differs from [2]"),
        ({}, {"sha256": "0" * 64}, "here.sha256", "differs from the hash of 'w'"),
        ({"shape": [3]}, {"shape": [3]}, "here.shape", "does not fit the tensor's 8 bytes"),
        ({"data_offsets": [0, 9]}, {}, "here", "lie outside"),
        ({"data_offsets": [4, 0]}, {}, "here", "lie outside"),
        ({"data_offsets": [-8, 0]}, {}, "here", "lie outside"),
        ({"data_offsets": "all"}, {}, "here", "lie outside"),
    ],
)
def test_disagreement_is_refused(
    tmp_path: Path, in_file: dict[str, Any], in_certificate: dict[str, Any], place: str, reason: str
) -> None:
    opened = open_file(write(tmp_path / "model.safetensors", header(**in_file)))
    with pytest.raises(Refused) as caught:
        read_tensor(opened, "here", stored(**in_certificate))
    assert caught.value.place == place
    assert reason in caught.value.reason


def test_nan_is_refused(tmp_path: Path) -> None:
    raw = struct.pack("<2f", 1.0, float("nan"))
    opened = open_file(write(tmp_path / "model.safetensors", header(), raw))
    with pytest.raises(Refused, match="here: 'w' holds nan or infinity"):
        read_tensor(opened, "here", stored(sha256=hashlib.sha256(raw).hexdigest()))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a safetensors file"),
        (b"12345678", "not a safetensors file"),
        (struct.pack("<Q", 2**63) + b"{}", "not a safetensors file"),
        (struct.pack("<Q", 2) + b"[]", "no JSON object"),
        (struct.pack("<Q", 3) + b"{x}", "no JSON"),
        (struct.pack("<Q", 15) + b'{"a":{},"a":{}}', "a name stands twice"),
    ],
)
def test_no_safetensors_file(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=reason):
        open_file(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"model\.safetensors: No such file"):
        open_file(tmp_path)
