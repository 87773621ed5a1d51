"""What a report of a layer shows, independent of how: one row a map, one column a question, and the notes below.

A number never loses its guarantee: where all bounds of a column share the word it stands in the heading, otherwise in
every cell. Upper bounds are rounded up, lower bounds down.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..arithmetic.interval import Interval
from ..certificate import ratio
from ..explicit.written_out import Written
from ..layer_certificate import LayerCertificate, best_upper
from ..outcome import Bound, NoBound, rounded
from ..race import PUBLISHED, Raced
from ..sublayer.sublayer import Around

DIGITS = 5


@dataclass(frozen=True)
class Column:
    """A heading, the guarantee that all its numbers share, and one text a row."""

    heading: str
    guarantee: str
    cells: Sequence[str]


def maps(certificate: LayerCertificate) -> list[Raced]:
    """The rows: every head, then the whole map."""
    return [*certificate.heads, *([certificate.whole] if certificate.whole.head is None else [])]


def row_name(raced: Raced) -> str:
    whole = {"layer": "whole", "sublayer": "block", "written-out": "map"}[raced.whole]
    return whole if raced.head is None else f"head {raced.head}"


def columns(certificate: LayerCertificate) -> list[Column]:
    """Name, upper and lower bound at the input, their ratio; then the constants for whole sets of inputs."""
    rows = maps(certificate)
    uppers = [best_upper(raced.candidates) for raced in rows]
    lowers = [raced.witness.bound for raced in rows]
    ratios = [_ratio(upper, lower) for upper, lower in zip(uppers, lowers, strict=True)]
    found = [
        Column("map", "", [row_name(raced) for raced in rows]),
        _column("upper", uppers),
        _column("lower", lowers),
        Column("upper/lower", "", ratios),
    ]
    if any(raced.image_candidates for raced in rows):
        found.append(_column("LayerNorm image", [best_upper(raced.image_candidates) for raced in rows]))
    if certificate.whole.whole == "layer":
        found.append(_column("published", [published(raced) for raced in rows]))
    return found


def title(certificate: LayerCertificate, *, timed: bool = True) -> str:
    """What was certified, and how long it took."""
    about = certificate.about
    layer = "" if about["layer"] is None else f", layer {about['layer']}"
    seconds = f", {certificate.seconds:.1f} s" if timed else ""
    layer += f", {about['block']} block" if "block" in about else ""
    return f"{about['model']}{layer}: {about['n']} tokens of size {about['d']}, {about['heads']} heads{seconds}"


def notes(certificate: LayerCertificate) -> list[str]:
    """How the columns are to be read, and why there is no bound where there is none."""
    rows = maps(certificate)
    lines = [
        "upper, lower: bounds on the spectral norm of the Jacobian (l2 to l2) at this exact input; "
        f"upper by {_methods(rows)}, lower by what the Jacobian does to one stored direction."
    ]
    if any(raced.image_candidates for raced in rows):
        lines.append("LayerNorm image: a Lipschitz constant on all that the LayerNorm before this layer can produce.")
    radius = _radius(rows)
    if radius is not None:
        lines.append(
            "published: the published compact-set theorem, a worst case over all inputs whose tokens have "
            f"norm at most {rounded(radius, DIGITS, 'upper')} (the largest here): not the same question."
        )
    if certificate.chance is not None:
        lines.append(
            f"probable: each such bound fails with probability at most {certificate.chance.failure} over the random "
            f"numbers drawn here (seed {certificate.chance.seed:#x})."
        )
    if certificate.whole.whole == "layer":
        lines.append("head: before the output projection; whole: all heads with it.")
    if certificate.written is not None:
        lines.append(_written_note(certificate.written))
    if certificate.around is not None:
        lines.append(_block_note(certificate.around))
    return [*lines, *_reasons(rows)]


def _block_note(sublayer: Around) -> str:
    name = "" if sublayer.norm is None else sublayer.norm.name
    formula = {"residual": "x + f(x)", "post-norm": f"{name}(x + f(x))", "pre-norm": f"x + f({name}(x))"}[sublayer.kind]
    return f"block: the map {formula} of the tokens that enter it, f the attention with all heads."


def _written_note(written: Written) -> str:
    rotary = "" if written.rotary is None else f" and rotary positions, made of {written.rotary.statement}"
    if written.inputs is None:
        return f"map: the attention with all heads{rotary}."
    inputs = {"x": "x", "y": "y", "pair": "the pair of x and y"}[written.inputs]
    return (
        f"map: cross-attention with all heads{rotary}, queries from x, keys and values from y; its derivative is in "
        f"{inputs}."
    )


def published(raced: Raced) -> Bound | NoBound:
    """The published compact-set theorem for a head; for the whole map its heads' values joined by |W_O|."""
    theorem = PUBLISHED if raced.head is not None else "heads-joined"
    for derived in raced.candidates:
        if derived.theorem == theorem and derived.domain == "ball":
            return derived.bound
    return NoBound("upper", theorem, "the theorem was not tried")


def _column(heading: str, bounds: Sequence[Bound | NoBound]) -> Column:
    words = {str(bound.guarantee) for bound in bounds if isinstance(bound, Bound)}
    shared = words.pop() if len(words) == 1 else ""
    cells = [_cell(bound, with_word=not shared) for bound in bounds]
    return Column(heading, shared, cells)


def _cell(bound: Bound | NoBound, *, with_word: bool) -> str:
    if isinstance(bound, NoBound):
        return "no bound"
    return f"{bound.shown(DIGITS)} {bound.guarantee}" if with_word else bound.shown(DIGITS)


def _ratio(upper: Bound | NoBound, lower: Bound) -> str:
    value = ratio(upper.value, lower.value) if isinstance(upper, Bound) else None
    if value is None:
        return "-"
    excess = value - 1.0  # exact where it is small
    return rounded(value, 3, "upper") if excess > 0.01 else f"1 + {rounded(excess, 2, 'upper')}"


def _methods(rows: Sequence[Raced]) -> str:
    """The winning methods and on how many maps each won."""
    counts = Counter(raced.winner.theorem for raced in rows if raced.winner is not None)
    return ", ".join(f"{theorem} ({count})" for theorem, count in counts.most_common()) or "no method"


def _radius(rows: Sequence[Raced]) -> float | None:
    for raced in rows:
        for derived in raced.candidates:
            value = derived.inputs.get("R")
            if derived.theorem == PUBLISHED and isinstance(value, Interval):
                return value.upper
    return None


def _reasons(rows: Sequence[Raced]) -> list[str]:
    """Every reason for a missing bound among the shown columns, once, with the maps it concerns."""
    shown: Sequence[Callable[[Raced], Bound | NoBound | None]] = (
        lambda raced: best_upper(raced.candidates),
        lambda raced: best_upper(raced.image_candidates) if raced.image_candidates else None,
        lambda raced: None if raced.whole != "layer" else published(raced),
    )
    found: dict[str, list[str]] = {}
    for raced in rows:
        for bound in (bound_of(raced) for bound_of in shown):
            if isinstance(bound, NoBound):
                found.setdefault(bound.reason, []).append(raced.place)
    return [f"no bound ({', '.join(dict.fromkeys(places))}): {reason}." for reason, places in found.items()]
