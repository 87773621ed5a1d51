from pathlib import Path

import numpy as np
import pytest

from certify.errors import InputError
from certify.input_array import read_array
from tests.certify.layers import random_layer
from tests.certify.refusal import refused

LAYER = random_layer(0, d=4)


def saved(path: Path, values: np.ndarray) -> Path:
    np.save(path, values, allow_pickle=values.dtype == object)
    return path


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_convert_exactly(tmp_path: Path, dtype: type) -> None:
    values = np.random.default_rng(0).normal(size=(3, 4)).astype(dtype)
    read = read_array(saved(tmp_path / "x.npy", values), LAYER)
    assert read.dtype == np.float64
    assert (read == values).all()


@pytest.mark.parametrize("dtype", ["int64", "complex128", "bool"])
def test_other_types_are_refused_by_name(tmp_path: Path, dtype: str) -> None:
    path = saved(tmp_path / "x.npy", np.ones((3, 4), dtype=dtype))
    with refused(InputError, f"the input has dtype {dtype}: give float16, float32 or float64"):
        read_array(path, LAYER)


@pytest.mark.parametrize("shape", [(4,), (3, 5), (0, 4), (1, 3, 4)])
def test_another_shape_is_refused(tmp_path: Path, shape: tuple[int, ...]) -> None:
    with refused(InputError, f"the input has shape {shape}: this layer takes (n, 4) with n >= 1"):
        read_array(saved(tmp_path / "x.npy", np.ones(shape)), LAYER)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(tmp_path: Path, bad: float) -> None:
    values = np.ones((3, 4))
    values[1, 2] = bad
    with refused(InputError, f"the input is {bad} at token 1, entry 2: every entry must be finite"):
        read_array(saved(tmp_path / "x.npy", values), LAYER)


def test_python_objects_are_never_unpickled(tmp_path: Path) -> None:
    path = saved(tmp_path / "x.npy", np.array([[print] * 4], dtype=object))
    with refused(InputError, f"the input {path} is not a .npy array of numbers: write it with numpy.save"):
        read_array(path, LAYER)


@pytest.mark.parametrize("content", [b"", b"not an array", b"\x93NUMPY\x01\x00"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(content)
    with refused(InputError, f"the input {path} is not a .npy array of numbers: write it with numpy.save"):
        read_array(path, LAYER)


def test_a_shortened_array_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "x.npy", np.ones((3, 4)))
    path.write_bytes(path.read_bytes()[:-1])
    with refused(InputError, f"the input {path} is not a .npy array of numbers: write it with numpy.save"):
        read_array(path, LAYER)


def test_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, x=np.ones((3, 4)))
    with refused(InputError, f"the input {path} is not a .npy array of numbers: write it with numpy.save"):
        read_array(path, LAYER)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with refused(InputError, f"cannot read the input {tmp_path / 'no.npy'}: No such file or directory"):
        read_array(tmp_path / "no.npy", LAYER)
