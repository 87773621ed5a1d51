from pathlib import Path

import pytest

from certify.atomic_file import check_writable, write_whole
from certify.errors import InputError
from tests.certify.refusal import refused


def test_the_content_is_there_whole_and_nothing_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"old")
    assert write_whole(place, b"new", InputError) == place
    assert place.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [place]


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    place = tmp_path / "none" / "file"
    with refused(InputError, f"cannot write {place}: No such file or directory; choose another place"):
        write_whole(place, b"", InputError)
    with refused(InputError, f"cannot write {place}: there is no folder {place.parent}; choose another place"):
        check_writable(place, InputError)


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    with refused(InputError, f"cannot write {tmp_path}: it is a folder; choose another place"):
        check_writable(tmp_path, InputError)
    with pytest.raises(InputError, match="choose another place"):
        write_whole(tmp_path, b"", InputError)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_can_be_written(tmp_path: Path) -> None:
    check_writable(tmp_path / "file", InputError)
    assert list(tmp_path.iterdir()) == []
