"""Every step again: the theorem's term over the step's own inputs must not exceed the step's claim.

The rule for inputs: a real input with enclosure [lower, upper] is taken to be anywhere in [0, upper]. All symbols of
the theorems are nonnegative, so this set holds the true value as soon as `upper` is an upper bound, and no lower end is
ever trusted. The bound stays sharp, since the theorems are nondecreasing in every occurrence of every real symbol.
Counts (n, d, H) are exact, and must be those of the object. A cited step stands for [0, its claim].
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .document import Document, number
from .enclosures import NoRange, Range
from .report import Refused
from .terms import Environment, Value, evaluate

COUNTS = {"n": "n", "d": "d", "H": "heads"}  # symbol -> field of the object
JOINS = {"heads-joined": "head", "heads-added": "folded-head"}  # theorem -> the map that its L[h] must bound
ANY_HEADS = ("local-deflation", "local-schur")  # theorems about one head and about the whole map alike
ONLY = {"sublayer-deflation": "sublayer", "written-out-deflation": "written-out"}  # theorem -> its one map
ALLOWED = {  # where the step is -> domains of the theorems that may speak there
    "point": ("point", "any"),
    "ball": ("ball", "any"),
    "layernorm": ("layernorm", "any"),
}
COVERING = {  # a bound on the ball that holds the input's tokens holds at the point too
    "point": ("point", "ball"),
    "ball": ("ball",),
    "layernorm": ("layernorm",),
}


def rederive(document: Document, theorems: Mapping[str, Any]) -> dict[str, Any]:
    """The steps by id, each re-derived.

    Raises:
        Refused: an unknown theorem, a doubled id, a missing, extra or unfit input, or a claim below the enclosure.
    """
    steps: dict[str, Any] = {}
    for index, step in enumerate(document["proof"]["steps"]):
        place = f"proof.steps[{index}]"
        theorem = theorems.get(step["theorem"])
        if theorem is None:
            raise Refused(f"{place}.theorem", f"unknown theorem {step['theorem']!r}")
        if step["id"] in steps:
            raise Refused(f"{place}.id", f"{step['id']!r} is the id of an earlier step")
        _fits(place, step, theorem, document["object"]["heads"])
        if (whole_map(document) != "layer" or step["map"] in ONLY.values()) and step["map"] != whole_map(document):
            raise Refused(f"{place}.map", f"a {step['map']} is not what this certificate is about")
        if theorem["unmasked"] and document["proof"]["geometry"]["masked"]:
            raise Refused(f"{place}.theorem", f"{step['theorem']} does not hold for a masked layer")
        _prove(place, step, theorem, _environment(place, step, theorem, document, steps))
        steps[step["id"]] = step
    return steps


def whole_map(document: Document) -> str:
    """What the certificate's map is called where it is no head."""
    geometry = document["proof"]["geometry"]
    return "written-out" if "written_out" in geometry else "sublayer" if "around" in geometry else "layer"


def _fits(place: str, step: Any, theorem: Any, heads: int) -> None:
    if theorem["domain"] not in ALLOWED[step["domain"]]:
        raise Refused(f"{place}.domain", f"{step['theorem']} does not speak about a {step['domain']} domain")
    if ONLY.get(step["theorem"], step["map"]) != step["map"] or (
        step["map"] in ONLY.values() and step["theorem"] not in ONLY
    ):
        raise Refused(f"{place}.map", f"{step['theorem']} does not bound a {step['map']}")
    whole = step["map"] in ("layer", *ONLY.values())
    if step["theorem"] not in (*ANY_HEADS, *ONLY) and whole != (step["theorem"] in JOINS):
        raise Refused(f"{place}.map", f"{step['theorem']} does not bound a {step['map']}")
    if whole != (step["head"] is None) or not (step["head"] or 0) < heads:
        raise Refused(f"{place}.head", f"{step['head']} is no head of this layer for a step about a {step['map']}")


def _environment(place: str, step: Any, theorem: Any, document: Document, earlier: Mapping[str, Any]) -> Environment:
    inputs, symbols = step["inputs"], theorem["symbols"]
    for symbol in symbols:
        if symbol not in inputs:
            raise Refused(f"{place}.inputs.{symbol}", f"is missing: {step['theorem']} needs it")
    for symbol in inputs:
        if symbol not in symbols:
            raise Refused(f"{place}.inputs.{symbol}", f"is no symbol of {step['theorem']}")
    return {symbol: _value(f"{place}.inputs.{symbol}", symbol, step, document, earlier) for symbol in symbols}


def _value(place: str, symbol: str, step: Any, document: Document, earlier: Mapping[str, Any]) -> Value:
    value = step["inputs"][symbol]
    if symbol in COUNTS:
        expected = document["object"][COUNTS[symbol]]
        if type(value) is not int or value != expected:
            raise Refused(place, f"must be the count {expected} of object.{COUNTS[symbol]}")
        return Range.point(value)
    if symbol == "L":
        return [_cited(f"{place}[{h}]", cite, h, step, earlier) for h, cite in _one_a_head(place, value, document)]
    if type(value) is not dict or "upper" not in value:
        raise Refused(place, "must be an interval")
    return Range.of(0, Fraction(number(value["upper"])))


def _one_a_head(place: str, value: Any, document: Document) -> list[tuple[int, Any]]:
    heads = document["object"]["heads"]
    if type(value) is not list or len(value) != heads:
        raise Refused(place, f"must list one step for each of the {heads} heads")
    return list(enumerate(value))


def _cited(place: str, cite: Any, head: int, step: Any, earlier: Mapping[str, Any]) -> Range:
    cited = earlier.get(cite["step"])
    if cited is None:
        raise Refused(f"{place}.step", f"{cite['step']!r} is not an earlier step")
    kind = JOINS[step["theorem"]]
    if (cited["map"], cited["head"]) != (kind, head) or cited["domain"] not in COVERING[step["domain"]]:
        raise Refused(f"{place}.step", f"{cite['step']!r} does not bound {kind} {head} on the {step['domain']} domain")
    return Range.of(0, Fraction(number(cited["claim"])))


def _prove(place: str, step: Any, theorem: Any, environment: Environment) -> None:
    if theorem["kind"] != "upper":
        raise Refused(f"{place}.theorem", f"{step['theorem']} is no upper bound: this checker re-derives those only")
    try:
        result = evaluate(theorem["term"], environment)
    except NoRange as error:
        raise Refused(place, f"{step['theorem']} has no value at these inputs: {error}") from error
    if not result.upper <= Fraction(number(step["claim"])):
        raise Refused(f"{place}.claim", f"{step['claim']} is below what {step['theorem']} gives at the inputs")
