"""Whatever lies in the file: one line of reason on stderr, exit status 1 or 2, no traceback."""

import os
from pathlib import Path
from typing import Any

import pytest

from certify.checker.check import LONGEST_LINE, main
from certify.checker.report import Report, printable

from .conftest import Small
from .mutate import Path_, delete_at, forged, refusal, set_at

DEEP = 100_000


def ended(argument: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """Exit status and the one line on stderr, printable ASCII, with nothing on stdout."""
    status = main([argument, *more])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err == printable(err[:-1]) + "\n"
    assert len(err) <= LONGEST_LINE + 4
    return status, err


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        (b"", 2, "not a JSON text"),
        (b"\x00" * 100, 2, "not a JSON text"),
        (b"\xff\xfe\x00", 2, "not a JSON text"),
        ('{"a":"\u00e9"}'.encode(), 1, "not the canonical text"),
        (b'{"a":"\xc3"}', 2, "not a JSON text"),
        (b"\xef\xbb\xbf{}", 1, "not the canonical text"),
        (b"[" * DEEP + b"]" * DEEP, 2, "not a JSON text"),
        (b'{"a":' * DEEP + b"1" + b"}" * DEEP, 2, "not a JSON text"),
        (b'{"a":' * 900 + b"1" + b"}" * 900 + b"\n", 1, "refused: "),
        (b'{"a":' + b"9" * 10**6 + b"}", 1, "an integer of 1000000 digits is no number of a certificate"),
        (b'{"a":-' + b"9" * 5000 + b"}", 1, "an integer of 5001 digits"),
        (b'{"a":0.' + b"9" * 10**6 + b"}", 1, "not the canonical text"),
        (b'{"a":1e999}', 1, "a number is too large for a double"),
        (b'{"a":-1e999}', 1, "a number is too large for a double"),
        (b'{"a":NaN}', 1, "NaN is no number"),
        (b'{"a":1,"a":1}', 1, "the same key stands twice"),
        (b"null", 2, "not a JSON object"),
        (b"1" * 30, 1, "an integer of 30 digits"),
        (b'"' + b"x" * 10**6 + b'"', 2, "not a JSON object"),
        (b"{}\n", 1, "digest: differs"),
        (b'{"digest":null}\n', 1, "digest: differs"),
        (b"{}{}", 2, "not a JSON text"),
    ],
    ids=range(22),
)
def test_no_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, status: int, reason: str
) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    got, err = ended(str(path), capsys)
    assert (got, reason in err) == (status, True), err


def test_no_file(small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for place, reason in {
        str(tmp_path): "not a regular file",
        str(tmp_path / "pipe"): "not a regular file",
        "/dev/zero": "not a regular file",
        str(tmp_path / "loop"): "symbolic links",
        str(tmp_path / "none"): "No such file",
        "nul\0byte": "null byte",
        "x" * 5000: "File name too long",
        str(small.path / "inside"): "Not a directory",
    }.items():
        status, err = ended(place, capsys)
        assert (status, reason in err) == (2, True), err
        if place != str(tmp_path):  # a folder may hold a model
            status, err = ended(str(small.path), capsys, "--weights", place)
            assert (status, reason in err) == (2, True), err


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.json"
    with path.open("wb") as file:
        file.truncate(1 << 31)  # sparse
    assert "larger than any certificate" in ended(str(path), capsys)[1]


@pytest.mark.parametrize("text", ["\x1b[2J\nevery number shown was proved", "\ud800", "\u202e", "a" * 10**5, ""])
def test_texts_of_a_certificate_cannot_forge_what_is_printed(
    small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    from certify.certificate import save

    named = small.data["proof"]["steps"][0]["id"]

    def rename(value: Any) -> Any:
        if isinstance(value, dict):
            return {(text if key == named else key): rename(item) for key, item in value.items()}
        return [rename(item) for item in value] if isinstance(value, list) else text if value == named else value

    def change(data: dict[str, Any]) -> None:
        renamed = rename(data)
        data.clear()
        data.update(renamed)

    path = save(forged(small.data, change), tmp_path / "c.json")
    assert main([str(path), "--weights", str(small.weights)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out == "".join(printable(line) + "\n" for line in out.splitlines())
    assert out.count("every number shown was proved") == 1
    unknown = save(forged(small.data, set_at(("proof", "hints", text), {})), tmp_path / "c.json")
    assert ended(str(unknown), capsys)[0] == 1


def test_every_line_of_a_report_is_one_line() -> None:
    lines = Report(("a\nb",), ("c\x1b",), ("upper",)).lines
    assert lines == ("a\\nb", "taken as given: c\\x1b", "not proved, but resting on what is taken as given: upper")


@pytest.mark.parametrize(
    ("path", "value", "place", "reason"),
    [
        (("domain",), {"kind": "point", "radius": 1.0}, "domain.radius", "belongs to a ball, not to the domain point"),
        (("domain",), {"kind": "layernorm", "norm": "l2"}, "domain.norm", "belongs to a ball"),
        (("domain",), {"kind": "ball"}, "domain.radius", "is missing"),
        (("domain",), {"kind": "ball", "radius": -1.0}, "domain.radius", "-1.0 is no radius"),
        (("domain",), {"kind": "ball", "radius": 1}, "domain.radius", "must be a number with a decimal point"),
        (("domain",), {"kind": "ball", "radius": 1.0, "norm": "l1"}, "domain.norm", "must be one of l2, linf"),
        (("object", "n"), -1, "object.n", "must be a count"),
        (("object", "n"), 1 << 32, "object.n", "must be a count"),
        (("object", "heads"), (1 << 32) - 1, "object.heads", "differs from proof.geometry.heads"),
        (("object", "input_sha256"), "A" * 64, "object.input_sha256", "is not a sha256"),
        (("proof", "steps", 0, "head"), 7, "proof.steps[0].head", "is no head of this layer"),
        (("proof", "steps", 0, "head"), None, "proof.steps[0].head", "is no head of this layer"),
        (("proof", "steps", 0, "map"), "layer", "proof.steps[0].map", "does not bound a layer"),
        (("proof", "steps", 0, "domain"), "layernorm", "proof.steps[0].domain", "does not speak about a layernorm"),
    ],
)
def test_a_field_of_the_wrong_kind(
    small: Small, tmp_path: Path, path: Path_, value: Any, place: str, reason: str
) -> None:
    refused = refusal(forged(small.data, set_at(path, value)), tmp_path)
    assert refused is not None
    assert (refused.place, reason in refused.reason) == (place, True), refused


def test_no_step_may_be_removed_that_is_used(small: Small, tmp_path: Path) -> None:
    for index, step in enumerate(small.data["proof"]["steps"]):
        refused = refusal(forged(small.data, delete_at(("proof", "steps", index))), tmp_path)
        assert refused is not None, step["id"]
        assert step["id"] in str(refused)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("lam", [], "has 0 numbers for 4 tokens"),
        ("lam", ["nan"] * 4, "not the canonical text"),
        ("lam", ["-0x1.0000000000000p+0"] * 4, "not the canonical text"),
        ("lam", [1.0] * 4, "must be a text"),
        ("lam", "AAAA", "must be a list"),
        ("r", [], "must be an object"),
        ("s", [], "is not a known field"),
    ],
)
def test_hints_of_another_form_are_refused_without_the_weights(
    small: Small, tmp_path: Path, name: str, value: Any, reason: str
) -> None:
    for step in small.data["proof"]["hints"]:
        refused = refusal(forged(small.data, set_at(("proof", "hints", step, name), value)), tmp_path)
        assert refused is not None
        assert reason in refused.reason


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("shape", [[4, 4], [16], [2, 8]])
def test_factors_must_be_positive_and_of_their_shape(
    small: Small, tmp_path: Path, bad: float, shape: list[int]
) -> None:
    import base64
    import hashlib
    import struct

    raw = struct.pack("<16f", *[1.0] * 15, bad)
    stored = {
        "dtype": "<f4",
        "shape": shape,
        "base64": base64.b64encode(raw).decode(),
        "sha256": hashlib.sha256(raw).hexdigest(),
    }
    step = "layer/point/local-schur"
    refused = refusal(forged(small.data, set_at(("proof", "hints", step, "r"), stored)), tmp_path)
    assert refused is not None
    expected = "holds a number that is not positive and finite" if shape == [4, 4] else "is not [n, n] = [4, 4]"
    assert expected in refused.reason


def test_a_hint_that_no_step_needs_is_refused(small: Small, tmp_path: Path) -> None:
    lam = small.data["proof"]["hints"]["layer/point/local-schur"]["lam"]
    refused = refusal(
        forged(small.data, set_at(("proof", "hints", "layer/point/heads-joined"), {"lam": lam})), tmp_path
    )
    assert refused is not None
    assert refused.reason == "is not needed for heads-joined"
