"""The file itself: one canonical JSON text, its digest, and a schema of which every field is known."""

import base64
import binascii
import hashlib
import json
import math
import re
import stat
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from .report import Refused, Unreadable

Document = dict[str, Any]
Shape = Callable[[str, Any], None]

GUARANTEES = ("proved", "probable", "witness", "estimate")
LARGEST_FILE = 1 << 30
LONGEST_INTEGER = 20  # digits; the schema's counts have at most 10


def read(path: str | Path) -> Document:
    """The document, once its text, digest and every field's type are as they must be.

    Raises:
        Unreadable: no such file, or no JSON object.
        Refused: nan, doubled keys, another text than the canonical one, a wrong digest, an unknown or missing field.
    """
    try:
        raw = regular_file(path, LARGEST_FILE).read_bytes()
        data = json.loads(raw, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_integer)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: not a JSON text ({error})") from error
    if not isinstance(data, dict):
        raise Unreadable(f"{path}: not a JSON object")
    _canonical_text(raw, data)
    claimed = data.get("digest")
    if claimed != hashlib.sha256(canonical({key: data[key] for key in data if key != "digest"})).hexdigest():
        raise Refused("digest", "differs from the sha256 of the content: something was changed after it was written")
    CERTIFICATE("", data)
    return data


def regular_file(path: str | Path, largest: int) -> Path:
    """The path, if it leads to an ordinary file that is not too large: a device or pipe could be read for ever.

    Raises:
        OSError, ValueError: there is no such file, or the path is none.
        Unreadable: something else than a file is there, or it is too large.
    """
    status = Path(path).stat()
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(f"{path}: not a regular file")
    if status.st_size > largest:
        raise Unreadable(f"{path}: larger than any certificate")
    return Path(path)


def canonical(data: object) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def number(text: str) -> float:
    """The double of a hexadecimal text that the schema has passed."""
    return float.fromhex(text)


def array_bytes(place: str, stored: Mapping[str, Any]) -> bytes:
    """The raw little-endian bytes of a stored array, if its size and hash are right."""
    try:
        raw = base64.b64decode(stored["base64"], validate=True)
    except binascii.Error as error:
        raise Refused(f"{place}.base64", f"not base64 ({error})") from error
    if base64.b64encode(raw).decode("ascii") != stored["base64"]:
        raise Refused(f"{place}.base64", "not the canonical base64 text of its bytes")
    if len(raw) != int(stored["dtype"][2:]) * math.prod(stored["shape"]):
        raise Refused(f"{place}.shape", f"{stored['shape']} does not fit {len(raw)} bytes")
    if hashlib.sha256(raw).hexdigest() != stored["sha256"]:
        raise Refused(f"{place}.sha256", "differs from the hash of the array's bytes")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Refused("file", "the same key stands twice in one object")
    return result


def _integer(text: str) -> int:
    if len(text) > LONGEST_INTEGER:
        raise Refused("file", f"an integer of {len(text)} digits is no number of a certificate")
    return int(text)


def _no_constant(text: str) -> float:
    raise Refused("file", f"{text} is no number: it proves nothing")


def _canonical_text(raw: bytes, data: Document) -> None:
    try:
        expected = canonical(data) + b"\n"
    except ValueError as error:
        raise Refused("file", "a number is too large for a double") from error
    except RecursionError as error:
        raise Refused("file", "nested too deeply") from error
    if raw != expected:
        place = next((i for i, (a, b) in enumerate(zip(raw, expected, strict=False)) if a != b), len(expected))
        raise Refused("file", f"not the canonical text of its data from byte {place} on")


# Shapes: each is a function (place, value) that raises Refused or returns.


def _of_type(kind: type, words: str) -> Shape:
    def shape(place: str, value: Any) -> None:
        if type(value) is not kind:  # exactly: a bool is no int, an int no float
            raise Refused(place, f"must be {words}, not {str(value)[:40]!r}")

    return shape


def _one_of(*allowed: object) -> Shape:
    def shape(place: str, value: Any) -> None:
        if type(value) not in map(type, allowed) or value not in allowed:
            raise Refused(place, f"must be one of {', '.join(map(str, allowed))}, not {str(value)[:40]!r}")

    return shape


def _maybe(inner: Shape) -> Shape:
    return lambda place, value: None if value is None else inner(place, value)


def _list(inner: Shape) -> Shape:
    def shape(place: str, value: Any) -> None:
        _of_type(list, "a list")(place, value)
        for index, item in enumerate(value):
            inner(f"{place}[{index}]", item)

    return shape


def _table(inner: Shape, keys: tuple[str, ...] | None = None) -> Shape:
    def shape(place: str, value: Any) -> None:
        _of_type(dict, "an object")(place, value)
        for key, item in value.items():
            if keys is not None and key not in keys:
                raise Refused(f"{place}.{key}", "is not a known field")
            inner(f"{place}.{key}", item)

    return shape


def _record(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    known = {**required, **(optional or {})}

    def shape(place: str, value: Any) -> None:
        _of_type(dict, "an object")(place, value)
        inside = f"{place}." if place else ""
        for key in required:
            if key not in value:
                raise Refused(inside + key, "is missing")
        for key, item in value.items():
            if key not in known:
                raise Refused(inside + key, "is not a known field")
            known[key](inside + key, item)

    return shape


def _count(place: str, value: Any) -> None:
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise Refused(place, f"must be a count, not {str(value)[:40]!r}")


def _hex_double(place: str, value: Any) -> None:
    TEXT(place, value)
    try:
        double = float.fromhex(value)
    except (ValueError, OverflowError) as error:
        raise Refused(place, f"{value[:40]!r} is not a hexadecimal double") from error
    if not 0.0 <= double < math.inf or double.hex() != value:
        raise Refused(place, f"{value[:40]!r} is not the canonical text of a finite nonnegative double")


def _radius(place: str, value: Any) -> None:
    NUMBER(place, value)
    if not 0.0 <= value < math.inf:
        raise Refused(place, f"{value} is no radius: it must be finite and not negative")


def _domain(place: str, value: Any) -> None:
    DOMAIN_FIELDS(place, value)
    ball = value["kind"] == "ball"
    for key in ("radius", "norm"):
        if (key in value) and not ball:
            raise Refused(f"{place}.{key}", f"belongs to a ball, not to the domain {value['kind']}")
    if ball and "radius" not in value:
        raise Refused(f"{place}.radius", "is missing")


def _scale(place: str, value: Any) -> None:
    """A positive fraction in lowest terms, below 2**64 like its denominator."""
    TEXT(place, value)
    if not re.fullmatch("[0-9]{1,20}(/[0-9]{1,20})?", value):
        raise Refused(place, f"{value[:40]!r} is no fraction")
    top, _, bottom = value.partition("/")
    if int(bottom or "1") == 0 or int(top) == 0 or str(Fraction(value)) != value:
        raise Refused(place, f"{value!r} is not a positive fraction in lowest terms")


def _sha256(place: str, value: Any) -> None:
    TEXT(place, value)
    if len(value) != 64 or set(value) - set("0123456789abcdef"):
        raise Refused(place, "is not a sha256 in lower-case hexadecimal")


def _entry(place: str, value: Any) -> None:
    """A bound, or where `value` is null the reason why there is none."""
    _of_type(dict, "an object")(place, value)
    if value.get("value", 0) is None:
        NO_BOUND(place, value)
        return
    BOUND(place, value)
    if value["value"].hex() != value["hex"]:
        raise Refused(f"{place}.value", "is not the double written in hex")


def _input(place: str, value: Any) -> None:
    if type(value) is int:
        _count(place, value)
    elif type(value) is list:
        _list(CITE)(place, value)
    else:
        INTERVAL(place, value)
        if not number(value["lower"]) <= number(value["upper"]):
            raise Refused(place, "its lower end is above its upper end")


def _around(place: str, value: Any) -> None:
    """What stands around the attention; a residual block has no norm, every other one has one and its eps."""
    AROUND(place, value)
    for key in ("norm", "eps"):
        if (value[key] is None) != (value["kind"] == "residual"):
            raise Refused(f"{place}.{key}", f"{value[key]!r} does not fit a {value['kind']} block")


TEXT = _of_type(str, "a text")
FLAG = _of_type(bool, "true or false")
NUMBER = _of_type(float, "a number with a decimal point")
KIND = _one_of("point", "ball", "layernorm")
CITE = _record({"step": TEXT})
INTERVAL = _record({"lower": _hex_double, "upper": _hex_double})
BOUND = _record(
    {"value": NUMBER, "hex": _hex_double, "guarantee": _one_of(*GUARANTEES), "method": TEXT, "theorem": _maybe(TEXT)},
    {"step": TEXT, "witness": TEXT},
)
NO_BOUND = _record({"value": _one_of(None), "method": TEXT, "reason": TEXT})
DOMAIN_FIELDS = _record({"kind": KIND}, {"radius": _radius, "norm": _one_of("l2", "linf", "max-token")})
GLOBAL = _record({"domain": _domain, "upper": _entry, "candidates": _list(_entry)})
SECTION = {
    "upper": _entry,
    "lower": _entry,
    "ratio": _maybe(NUMBER),
    "candidates": _list(_entry),
    "global": _maybe(GLOBAL),
}
ROTARY = _record({"statement": TEXT, "layout": _one_of("half", "interleaved"), "sha256": _sha256})
WRITTEN = _record({"rotary": _maybe(ROTARY), "inputs": _maybe(_one_of("x", "y", "pair"))})
BLOCK = _one_of("residual", "post-norm", "pre-norm")
AROUND = _record({"kind": BLOCK, "norm": _maybe(_one_of("layernorm", "rmsnorm")), "eps": _maybe(_hex_double)})
ABOUT = _record(
    {
        "model": TEXT,
        "layer": _maybe(_count),
        "head": _maybe(_count),
        "heads": _count,
        "n": _count,
        "d": _count,
        "weights_sha256": _sha256,
        "input_sha256": _sha256,
    },
    {"text": TEXT, "text_sha256": _sha256, "kind": TEXT, "block": BLOCK},
)
ARRAY = _record({"dtype": _one_of("<f8"), "shape": _list(_count), "base64": TEXT, "sha256": _sha256})
SMALL_ARRAY = _record({"dtype": _one_of("<f4"), "shape": _list(_count), "base64": TEXT, "sha256": _sha256})
STEP = _record(
    {
        "id": TEXT,
        "theorem": TEXT,
        "map": _one_of("head", "folded-head", "layer", "sublayer", "written-out"),
        "head": _maybe(_count),
        "domain": KIND,
        "inputs": _table(_input),
        "claim": _hex_double,
    }
)
WITNESS = _record({"id": TEXT, "head": _maybe(_count), "direction": ARRAY, "claim": _hex_double})
TENSOR = _record(
    {"tensor": TEXT, "dtype": _one_of("F64", "F32", "F16", "BF16"), "shape": _list(_count), "sha256": _sha256}
)
ROLES = tuple(
    f"{matrix}_{part}"
    for matrix in ("query", "key", "value", "output", "norm", "block_norm")
    for part in ("weight", "bias")
)
PROOF = _record(
    {
        "steps": _list(STEP),
        "witnesses": _list(WITNESS),
        "input": ARRAY,
        "weights": _table(TENSOR, ROLES),
        "geometry": _record(
            {"heads": _count, "head_size": _count, "scale_squared": _scale, "masked": FLAG},
            {"around": _around, "written_out": WRITTEN, "kv_heads": _count},
        ),
        "hints": _table(_record({}, {"lam": _list(_hex_double), "r": SMALL_ARRAY})),
    },
    {"context": ARRAY},
)
CERTIFICATE = _record(
    {
        "schema": _one_of("attention-bounds/1"),
        "object": ABOUT,
        "domain": _domain,
        "map_norm": _one_of("l2"),
        **SECTION,
        "seconds": NUMBER,
        "heads": _list(_record({"head": _count, **SECTION})),
        "proof": PROOF,
        "digest": _sha256,
    }
)
