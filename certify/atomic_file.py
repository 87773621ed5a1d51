"""Files that are there whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(path: str | Path, content: bytes, refusal: Callable[[str], Exception]) -> Path:
    """Write beside the place and rename, so that no half-written file is ever seen, whatever interrupts.

    Raises `refusal(message)` where the folder cannot be written.
    """
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
        os.replace(part, target)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise refusal(f"cannot write {target}: {error.strerror}; choose another place") from error
        raise
    return target


def check_writable(path: str | Path, refusal: Callable[[str], Exception]) -> None:
    """Raises `refusal(message)` where `write_whole` is bound to fail, before long work is done for nothing."""
    target = Path(path)
    folder = target.parent
    if target.is_dir():
        raise refusal(f"cannot write {target}: it is a folder; choose another place")
    if not folder.is_dir():
        raise refusal(f"cannot write {target}: there is no folder {folder}; choose another place")
    if not os.access(folder, os.W_OK):
        raise refusal(f"cannot write {target}: the folder {folder} is not writable; choose another place")
