import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file

from certify.errors import ModelError
from certify.safetensors_file import FORMATS, open_safetensors
from tests.certify.refusal import refused
from tests.certify.tiny_bert import raw_bytes, write_raw, write_safetensors

VALUES = np.array([[1.0, -0.1, 3e-8], [65504.0, 2.0**-24, -0.0]], dtype=np.float32)


def one_tensor(path: Path, dtype: str = "F32", values: np.ndarray = VALUES) -> Path:
    write_safetensors(path / "w.safetensors", {"w": values}, dtype)
    return path / "w.safetensors"


def with_header(path: Path, header: object, data: bytes = b"\0" * 24, length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    write_raw(path / "w.safetensors", text, data, length)
    return path / "w.safetensors"


def described(**change: object) -> dict[str, object]:
    return {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24], **change}}


@pytest.mark.parametrize("dtype", FORMATS)
def test_every_float_format_is_read_exactly_as_another_reader_reads_it(tmp_path: Path, dtype: str) -> None:
    path = one_tensor(tmp_path, dtype)
    values, source = open_safetensors(path).read("w", (2, 3))
    assert (values.astype(np.float64) == load_file(path)["w"].double().numpy()).all()
    assert (source.tensor, source.dtype, source.shape) == ("w", dtype, (2, 3))
    assert source.sha256 == hashlib.sha256(raw_bytes(VALUES, dtype)).hexdigest()


def test_all_finite_bfloat16_numbers_are_read_exactly(tmp_path: Path) -> None:
    bits = np.arange(2**16, dtype=np.uint32) << 16
    values = bits.view(np.float32)
    values = values[np.isfinite(values)]
    path = one_tensor(tmp_path, "BF16", values)
    assert (open_safetensors(path).read("w", values.shape)[0] == load_file(path)["w"].double().numpy()).all()


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    path = one_tensor(tmp_path)
    with refused(ModelError, f"{path} lacks the tensor v: is it the model that config.json describes?"):
        open_safetensors(path).read("v", (2, 3))


def test_another_shape_is_named_with_both(tmp_path: Path) -> None:
    path = one_tensor(tmp_path)
    with refused(ModelError, f"tensor w in {path} has shape (2, 3), config.json asks for (3, 2)"):
        open_safetensors(path).read("w", (3, 2))


def test_integers_are_refused_by_type(tmp_path: Path) -> None:
    path = one_tensor(tmp_path, "I64", np.ones((2, 3)))
    with refused(ModelError, f"tensor w in {path} has type I64: accepted are F64, F32, F16, BF16"):
        open_safetensors(path).read("w", (2, 3))


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_refused(tmp_path: Path, dtype: str, bad: float) -> None:
    values = np.ones((2, 3), dtype=np.float32)
    values[1, 1] = bad
    path = one_tensor(tmp_path, dtype, values)
    with refused(ModelError, f"tensor w in {path} holds nan or infinity: nothing can be proved about it"):
        open_safetensors(path).read("w", (2, 3))


BROKEN = [
    pytest.param(described(data_offsets=[0, 28]), "tensor w lies at bytes 0 to 28, the data has 24", id="past the end"),
    pytest.param(described(data_offsets=[-4, 20]), "tensor w lies at bytes -4 to 20, the data has 24", id="before"),
    pytest.param(described(data_offsets=[24, 0]), "tensor w lies at bytes 24 to 0, the data has 24", id="backwards"),
    pytest.param(described(data_offsets=[0, 20]), "tensor w of type F32 and shape [2, 3] has 20 bytes", id="too few"),
    pytest.param(described(shape=[2, -3]), "tensor w has the shape [2, -3]", id="negative shape"),
    pytest.param(described(shape=[2, 1.5]), "tensor w has the shape [2, 1.5]", id="broken shape"),
    pytest.param(described(shape="2"), "tensor w has no dtype, shape and data_offsets", id="shape is text"),
    pytest.param({"w": 3}, "tensor w has no dtype, shape and data_offsets", id="no description"),
    pytest.param([1], "its header is not a JSON object", id="a list"),
    pytest.param(b"x", "its header is not JSON (Expecting value: line 1 column 1 (char 0))", id="no JSON"),
    pytest.param(b'{"w": 1, "w": 2}', "its header is not JSON (a name is repeated)", id="repeated name"),
]


@pytest.mark.parametrize(("header", "reason"), BROKEN)
def test_a_header_that_contradicts_the_file_is_refused(tmp_path: Path, header: object, reason: str) -> None:
    path = with_header(tmp_path, header)
    with refused(ModelError, f"{path} is not a whole safetensors file: {reason}; fetch it again"):
        open_safetensors(path)


def test_a_header_longer_than_the_file_is_refused(tmp_path: Path) -> None:
    path = with_header(tmp_path, b"{}", data=b"", length=2**63)
    reason = f"its header claims {2**63} bytes, the file has 2 after the first 8"
    with refused(ModelError, f"{path} is not a whole safetensors file: {reason}; fetch it again"):
        open_safetensors(path)


def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    path = one_tensor(tmp_path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(ModelError, match="is not a whole safetensors file"):
            open_safetensors(path)


def test_a_file_of_a_few_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(struct.pack("<I", 2))
    reason = "it has 4 bytes, a header begins with 8"
    with refused(ModelError, f"{path} is not a whole safetensors file: {reason}; fetch it again"):
        open_safetensors(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with refused(ModelError, f"cannot read {tmp_path / 'no'}: No such file or directory"):
        open_safetensors(tmp_path / "no")
