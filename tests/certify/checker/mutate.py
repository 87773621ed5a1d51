"""Forgeries of a certificate: one leaf changed, with or without a digest that fits again."""

import copy
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from certify.certificate import digest, save
from certify.checker import Refused, check

Path_ = tuple[str | int, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every scalar with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def branches(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every key of every object."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from branches(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from branches(item, (*path, index))


def changed(value: Any) -> Any:
    """Another value of the same kind: a double is lowered by one unit in the last place, in decimal or in hex."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return math.nextafter(value, 0.0)
    if value.startswith("0x"):
        return math.nextafter(float.fromhex(value), 0.0).hex()
    if len(value) == 64:
        return ("1" if value[0] == "0" else "0") + value[1:]
    if len(value) > 64:  # base64: another first byte of the same length
        return ("B" if value[0] == "A" else "A") + value[1:]
    return value + "x"


def forged(data: dict[str, Any], change: Callable[[dict[str, Any]], None], resealed: bool = True) -> dict[str, Any]:
    """A deep copy with the change made, and a digest that fits if `resealed`."""
    copied = copy.deepcopy(data)
    change(copied)
    if resealed:
        copied["digest"] = digest(copied)
    return copied


def set_at(path: Path_, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


def delete_at(path: Path_) -> Callable[[dict[str, Any]], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def refusal(data: dict[str, Any], folder: Path, weights: Path | None = None) -> Refused | None:
    """How the checker refuses the data, or None if it does not."""
    try:
        check(save(data, folder / "forged.json"), weights)
    except Refused as refused:
        return refused
    return None
