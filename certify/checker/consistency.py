"""What is shown against what is proved: every bound, ratio, winner and hash agrees with the proof."""

import hashlib
import math
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .derivation import COVERING, whole_map
from .document import Document, array_bytes, canonical, number
from .hints import check_hints
from .report import Refused

UNPROVED = ("probable", "estimate")


@dataclass(frozen=True)
class Section:
    """A part of the file that shows bounds of one map on one domain."""

    place: str
    data: Mapping[str, Any]
    head: int | None
    domain: Mapping[str, Any]
    whole: str  # what the map is called where it is no head


def sections(document: Document) -> Iterator[Section]:
    """The whole map, every head, and the global part of each."""
    whole = whole_map(document)
    heads = [(f"heads[{i}]", part, part["head"]) for i, part in enumerate(document["heads"])]
    for place, part, head in [("", document, document["object"]["head"]), *heads]:
        yield Section(place, part, head, document["domain"], whole)
        if part["global"] is not None:
            yield Section(f"{place}.global".lstrip("."), part["global"], head, part["global"]["domain"], whole)


def check_object(document: Document) -> list[list[float]]:
    """The input's rows, once sizes, heads and hashes of the object agree with the proof.

    Raises:
        Refused: the first disagreement.
    """
    about, proof = document["object"], document["proof"]
    rows = stored_rows("proof.input", proof["input"], about)
    if about["input_sha256"] != proof["input"]["sha256"]:
        raise Refused("object.input_sha256", "differs from the hash of the stored input")
    if about["weights_sha256"] != hashlib.sha256(canonical(proof["weights"])).hexdigest():
        raise Refused("object.weights_sha256", "differs from the hash of proof.weights")
    if not about["heads"] == proof["geometry"]["heads"] >= 1:
        raise Refused("object.heads", f"differs from proof.geometry.heads = {proof['geometry']['heads']}")
    seen: set[int] = set()
    for index, part in enumerate(document["heads"]):
        if part["head"] >= about["heads"] or part["head"] in seen:
            raise Refused(f"heads[{index}].head", f"{part['head']} is no head of this layer, or stands twice")
        seen.add(part["head"])
    if about["head"] is not None and about["head"] >= about["heads"]:
        raise Refused("object.head", f"{about['head']} is no head of this layer")
    _check_block(document)
    _check_written(document)
    _check_balls(document, rows)
    return rows


def _check_block(document: Document) -> None:
    """The object is the block that stands around the layer, which has no heads of its own and no global bound."""
    about, around = document["object"], document["proof"]["geometry"].get("around")
    if about.get("block") != (None if around is None else around["kind"]):
        raise Refused("object.block", "differs from proof.geometry.around")
    has_norm = around is not None and around["norm"] is not None
    for role in document["proof"]["weights"]:
        if role.startswith("block_norm") and not has_norm:
            raise Refused(f"proof.weights.{role}", "belongs to no norm of this certificate")
    if whole_map(document) == "layer":
        return
    for place, given in (("object.head", about["head"]), ("heads", document["heads"]), ("global", document["global"])):
        if given not in (None, []):
            raise Refused(place, "is no part of a block")


def _check_written(document: Document) -> None:
    """A written-out map is rotary or cross-attention, and cross-attention has a context."""
    proof = document["proof"]
    written, context = proof["geometry"].get("written_out"), proof.get("context")
    inputs = None if written is None else written["inputs"]
    if (inputs is None) != (context is None):
        raise Refused("proof.context", "belongs to cross-attention, which has one and says what its derivative is in")
    if written is None:
        return
    if inputs is None and written["rotary"] is None:
        raise Refused("proof.geometry.written_out", "is neither rotary attention nor cross-attention")
    if context is None:
        return
    if "around" in proof["geometry"]:
        raise Refused("proof.geometry.around", "stands around self-attention only")
    if len(context["shape"]) != 2:
        raise Refused("proof.context.shape", f"{context['shape']} is not [m, d_y]")
    stored_matrix("proof.context", context, context["shape"])


def direction_shape(document: Document) -> list[int]:
    """Of every witness: the shape of what moves."""
    about, proof = document["object"], document["proof"]
    inputs = proof["geometry"].get("written_out", {"inputs": None})["inputs"]
    own = [about["n"], about["d"]]
    if inputs in (None, "x"):
        return own
    context = proof["context"]["shape"]
    return context if inputs == "y" else [1, math.prod(own) + math.prod(context)]


def stored_rows(place: str, stored: Mapping[str, Any], about: Mapping[str, Any]) -> list[list[float]]:
    """An (n, d) array of finite doubles whose hash is right."""
    n, d = about["n"], about["d"]
    if stored["shape"] != [n, d]:
        raise Refused(f"{place}.shape", f"{stored['shape']} is not [n, d] = [{n}, {d}]")
    return stored_matrix(place, stored, [n, d])


def stored_matrix(place: str, stored: Mapping[str, Any], shape: Sequence[int]) -> list[list[float]]:
    """The same of another shape."""
    if stored["shape"] != list(shape) or 0 in shape:
        raise Refused(f"{place}.shape", f"{stored['shape']} is not {list(shape)}, or empty")
    n, d = shape
    values = struct.unpack(f"<{n * d}d", array_bytes(place, stored))
    if not all(map(math.isfinite, values)):
        raise Refused(f"{place}.base64", "holds nan or infinity")
    return [list(values[i * d : (i + 1) * d]) for i in range(n)]


def check_bounds(document: Document, steps: Mapping[str, Any]) -> list[int]:
    """Compare every entry with its step or witness, then every winner and ratio.

    Raises:
        Refused: the first disagreement.
    """
    check_hints(document, steps)
    witnesses: dict[str, Any] = {}
    for index, witness in enumerate(document["proof"]["witnesses"]):
        place = f"proof.witnesses[{index}]"
        if witness["id"] in witnesses or witness["id"] in steps:
            raise Refused(f"{place}.id", f"{witness['id']!r} is taken")
        if witness["head"] is not None and witness["head"] >= document["object"]["heads"]:
            raise Refused(f"{place}.head", f"{witness['head']} is no head of this layer")
        if witness["head"] is not None and whole_map(document) != "layer":
            raise Refused(f"{place}.head", f"head {witness['head']} is not what this certificate is about")
        if not any(map(any, stored_matrix(f"{place}.direction", witness["direction"], direction_shape(document)))):
            raise Refused(f"{place}.direction", "is zero: it witnesses nothing")
        witnesses[witness["id"]] = witness
    counts = [0, 0]
    for section in sections(document):
        for place, entry in _entries(section):
            proved = _check_entry(place, entry, section, steps, witnesses)
            counts[0] += proved == "step"
            counts[1] += proved == "witness"
        _check_winners(section)
    return counts


def unproved(document: Document, given: Collection[str]) -> list[str]:
    """The places that show an estimate, or a number of one of these steps or witnesses or of a step that cites one."""
    resting = set(given)
    for step in document["proof"]["steps"]:  # cites point to earlier steps only
        if any(cite["step"] in resting for value in step["inputs"].values() if type(value) is list for cite in value):
            resting.add(step["id"])
    places = []
    for section in sections(document):
        found = [
            place
            for place, entry in _entries(section)
            if entry["value"] is not None
            and (entry["guarantee"] in UNPROVED or resting & {entry.get("step"), entry.get("witness")})
        ]
        inside = f"{section.place}." if section.place else ""
        if section.data.get("ratio") is not None and {f"{inside}upper", f"{inside}lower"} & set(found):
            found.append(f"{inside}ratio")
        places += found
    return places


def least_proved(document: Document, without: Collection[str]) -> Iterator[str]:
    """The least upper bound of the certificate's map on each domain, leaving out the places in `without`."""
    subject = document["object"]["head"]
    whole = "the block" if "around" in document["proof"]["geometry"] else "the whole map"
    name = whole if subject is None else f"head {subject}"
    for section in sections(document):
        if not section.place.startswith("heads"):
            shown = [entry for place, entry in _entries(section) if place not in without and "step" in entry]
            if shown:
                best = min(shown, key=lambda entry: entry["value"])
                yield f"{name}, {section.domain['kind']}: at most {best['value']} by {best['step']}"


def assumptions(document: Document) -> tuple[str, str]:
    """What no file of weights can say."""
    proof, shape = document["proof"], document["proof"]["geometry"]
    parts = ", ".join(f"{role} = {stored['tensor']}" for role, stored in proof["weights"].items())
    kind = f"softmax attention with {shape['heads']} heads of size {shape['head_size']}"
    scores = f"scores scaled by the square root of {shape['scale_squared']}"
    mask = "with a mask or an additive score" if shape["masked"] else "no mask and no additive score"
    output = "one output projection" if "output_weight" in proof["weights"] else "no output projection"
    if "kv_heads" in shape:
        kind += f" that share {shape['kv_heads']} keys and values"
    if "written_out" in shape:
        output += _written(shape["written_out"])
    if "around" in shape:
        output += _around(shape["around"])
    return (
        f"that the model feeds the stored input to this layer, whose only parts are the tensors {parts}",
        f"that the layer is {kind}, {scores}, {mask}, {output}",
    )


def _written(written: Mapping[str, Any]) -> str:
    found = ""
    if written["rotary"] is not None:
        rotary = written["rotary"]
        found += f", rotary positions in the layout {rotary['layout']} made of {rotary['statement']}"
        found += f" (sha256 {rotary['sha256']})"
    if written["inputs"] is not None:
        found += f", queries from the stored input, keys and values from the context, derivative in {written['inputs']}"
    return found


def _around(around: Mapping[str, Any]) -> str:
    eps = "" if around["eps"] is None else f" with a {around['norm']} whose eps is {number(around['eps'])}"
    return f", in a {around['kind']} block{eps}"


def _entries(section: Section) -> Iterator[tuple[str, Any]]:
    inside = f"{section.place}." if section.place else ""
    for name in ("upper", "lower"):
        if name in section.data:
            yield inside + name, section.data[name]
    for index, entry in enumerate(section.data["candidates"]):
        yield f"{inside}candidates[{index}]", entry


def _check_entry(
    place: str, entry: Any, section: Section, steps: Mapping[str, Any], witnesses: Mapping[str, Any]
) -> str:
    """What kind of proof stands behind the entry: "step", "witness" or ""."""
    if entry["value"] is None:
        return ""
    kind = {"proved": "step", "witness": "witness"}.get(entry["guarantee"], "")
    for key in ("step", "witness"):
        if (key in entry) != (key == kind):
            needs = f"needs a {kind} and nothing else" if kind else "has neither step nor witness"
            raise Refused(f"{place}.guarantee", f"a bound that is called {entry['guarantee']!r} {needs}")
    if not kind:
        return ""
    backing = (steps if kind == "step" else witnesses).get(entry[kind])
    if backing is None:
        raise Refused(f"{place}.{kind}", f"{entry[kind]!r} is no {kind} of the proof")
    if entry["hex"] != backing["claim"]:
        raise Refused(f"{place}.hex", f"differs from the claim {backing['claim']} of {entry[kind]!r}")
    if entry["theorem"] != backing.get("theorem"):
        raise Refused(f"{place}.theorem", f"differs from the theorem of {entry[kind]!r}")
    expected_map = section.whole if section.head is None else "head"
    if backing["head"] != section.head or backing.get("map", expected_map) != expected_map:
        raise Refused(f"{place}.{kind}", f"{entry[kind]!r} is about another map")
    if backing.get("domain", "point") not in COVERING[section.domain["kind"]]:
        raise Refused(f"{place}.{kind}", f"{entry[kind]!r} is about another domain")
    return kind


def _check_winners(section: Section) -> None:
    inside = f"{section.place}." if section.place else ""
    upper, lower = section.data["upper"], section.data.get("lower", {"value": None})
    if upper.get("guarantee") == "witness":
        raise Refused(f"{inside}upper.guarantee", "a witness is a lower bound, never an upper bound")
    if lower.get("guarantee") == "proved":
        raise Refused(f"{inside}lower.guarantee", "no step of this proof is a lower bound")
    shown = [entry for entry in section.data["candidates"] if entry["value"] is not None]
    proved = [entry["value"] for entry in shown if entry["guarantee"] == "proved"]
    seen = [entry["value"] for entry in shown if entry["guarantee"] == "witness"]
    if (upper.get("guarantee") == "proved" or proved) and upper["value"] != min(proved, default=None):
        raise Refused(f"{inside}upper.value", "is not the least of the proved candidates")
    if seen and not (lower.get("guarantee") == "witness" and lower["value"] == max(seen)):
        raise Refused(f"{inside}lower.value", "is not the greatest of the witnessed candidates")
    both = upper.get("guarantee") == "proved" and lower.get("guarantee") == "witness"
    if both and not lower["value"] <= upper["value"]:
        raise Refused(f"{inside}lower.value", "is above the proved upper bound: one of the two is wrong")
    if "ratio" in section.data:
        _check_ratio(f"{inside}ratio", section.data["ratio"], upper["value"], lower["value"])


def _check_ratio(place: str, ratio: float | None, upper: float | None, lower: float | None) -> None:
    """The ratio must be the least double that is at least upper / lower, and null where there is none below 2**1023."""
    exact = Fraction(upper) / Fraction(lower) if upper is not None and lower else None
    if exact is None or exact >= Fraction(2) ** 1023:
        if ratio is not None:
            raise Refused(place, "must be null: there is no finite upper / lower")
        return
    if ratio is None or not ratio < math.inf or not Fraction(ratio) >= exact:
        raise Refused(place, "is below upper / lower")
    if not Fraction(math.nextafter(ratio, -math.inf)) < exact:
        raise Refused(place, "is not the least double above upper / lower")


def _check_balls(document: Document, rows: list[list[float]]) -> None:
    """A step on the ball must cover the input's tokens and every ball of which a bound is shown."""
    square = max(sum(Fraction(x) ** 2 for x in row) for row in rows)
    shown = [section.domain for section in sections(document) if section.domain["kind"] == "ball"]
    largest = max((_reach_square(ball, document["object"]["d"]) for ball in shown), default=Fraction(0))
    for index, step in enumerate(document["proof"]["steps"]):
        radius = step["inputs"].get("R")
        if step["domain"] != "ball" or type(radius) is not dict or "upper" not in radius:
            continue  # a join has no R; anything else is refused with the step
        reach = Fraction(number(radius["upper"])) ** 2
        if not reach >= square:
            raise Refused(f"proof.steps[{index}].inputs.R", "is below the norm of a token of the stored input")
        if not reach >= largest:
            raise Refused(f"proof.steps[{index}].inputs.R", "is below the radius of a ball of which a bound is shown")


def _reach_square(ball: Mapping[str, Any], d: int) -> Fraction:
    """The square of the largest Euclidean norm of a token in the ball around zero."""
    return Fraction(ball["radius"]) ** 2 * (d if ball.get("norm") == "linf" else 1)
