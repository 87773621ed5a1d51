from pathlib import Path

from certify.errors import InputError
from certify.texts import alice, read_text
from tests.certify.refusal import refused


def test_the_shipped_text_is_chapter_one_and_its_source_is_named() -> None:
    text = alice()
    assert text.startswith("CHAPTER I\n")
    assert text.endswith("finished off the cake.\n")
    assert "Canterbury corpus" in (Path(__file__).parents[2] / "certify/texts/README.md").read_text()


def test_an_empty_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text(" \n\t\n")
    with refused(InputError, f"the text {path} is empty: give one with at least one word"):
        read_text(path)


def test_a_missing_text_is_refused(tmp_path: Path) -> None:
    with refused(InputError, f"cannot read the text {tmp_path / 'no.txt'}: No such file or directory"):
        read_text(tmp_path / "no.txt")


def test_a_folder_is_no_text(tmp_path: Path) -> None:
    with refused(InputError, f"cannot read the text {tmp_path}: Is a directory"):
        read_text(tmp_path)


def test_a_text_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"caf\xe9 society")
    with refused(InputError, f"{path} is not UTF-8 text (byte 3): convert it first"):
        read_text(path)
