"""The text that models are fed with when the user names none, and the reading of the user's own."""

from os import PathLike
from pathlib import Path

from ..errors import InputError

SHIPPED = Path(__file__).with_name("alice.txt")


def alice() -> str:
    """Chapter I of Alice's Adventures in Wonderland, public domain (README.md beside this file names the source)."""
    return read_text(SHIPPED)


def read_text(path: str | PathLike[str]) -> str:
    """The text of a UTF-8 file.

    Raises InputError for a file that is missing, unreadable or not UTF-8, or that holds white space only.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start}): convert it first") from None
    except OSError as error:
        raise InputError(f"cannot read the text {path}: {error.strerror}") from None
    if not text.strip():
        raise InputError(f"the text {path} is empty: give one with at least one word")
    return text
