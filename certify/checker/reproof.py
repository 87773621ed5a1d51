"""With the model's file: every input of every step and every witness, proved again from the weights."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from .activations import HeadAtInput
from .columns import columns_at_most
from .consistency import assumptions, least_proved, stored_rows, unproved
from .covariance_bound import covariance_term, weighted_column
from .derivation import COUNTS, whole_map
from .document import Document, number
from .exact import Exact, exact
from .head_norms import HEAD_NORMS
from .hints import NEEDED, factors, hint, upper_eigenvalues
from .jacobian import derivative, layer_derivative, witnesses
from .joint_bound import JointBound
from .local_norms import LOCAL_NORMS
from .moments import Moments
from .norms import gram_at_most
from .obligation import Obligation, demand_all
from .report import Refused, Report
from .schur_bound import schur_column
from .softmax import TooCoarse
from .sublayer import SublayerAtInput
from .weights import Layer, load_layer

HINTED = {"weighted_column", "schur_column"}  # proved from the hints of their own step
AT_INPUT = {*LOCAL_NORMS, *HINTED, "covariance_term"}
COMPARED = {
    *COUNTS,
    "L",
    "R",
}  # with the object, with earlier steps, with the stored input: before the weights are read
WORTH_FORKING = 1 << 9  # numbers in the layer's values, n H k


class Reproof:
    """The layer at the stored input, and all that has to be proved about it."""

    def __init__(self, document: Document, tokens: Sequence[Sequence[float]], model: str | Path) -> None:
        self.document = document
        self.masked: bool = document["proof"]["geometry"]["masked"]
        self.written_out = whole_map(document) == "written-out"  # which no room here derives again
        self.layer: Layer = load_layer(document, model)
        self.tokens: Exact = exact(tokens)
        self.given: dict[str, list[str]] = {}  # step or witness -> what of it is taken as given
        self.inputs: set[tuple[object, ...]] = set()  # those that already have an obligation
        self.moments = cache(self._moments)

    @cached_property
    def heads(self) -> list[HeadAtInput]:
        return [HeadAtInput(self.layer, head, self.tokens) for head in self.layer.heads]

    @cached_property
    def sublayer(self) -> SublayerAtInput | None:
        """What stands around the layer, if the certificate is about that."""
        around = self.document["proof"]["geometry"].get("around")
        return None if around is None else SublayerAtInput(around["kind"], self.layer, self.tokens)

    def _moments(self, head: int, folded: bool) -> Moments:
        return Moments(self.heads[head], folded)

    def step(self, place: str, step: Any) -> Iterator[Obligation]:
        """What the step needs: every real input is an upper bound of its quantity."""
        for symbol, value in step["inputs"].items():
            if symbol in COMPARED:
                continue
            if not self._provable(symbol, step):
                self.given.setdefault(step["id"], []).append(symbol)
                continue
            key = (symbol, step["map"], step["head"], value["upper"], step["id"] if symbol in HINTED else None)
            if key in self.inputs:
                continue
            self.inputs.add(key)
            for name in NEEDED[step["theorem"]] if symbol in HINTED else ():
                hint(self.document, step["id"], name)
            where = f"{place}.inputs.{symbol}"
            failure = f"{value['upper']} was not proved to be an upper bound from the weights"
            if symbol == "schur_column" and step["map"] == "layer":
                yield from self._joint(where, failure, step)
            else:
                yield Obligation(step["head"], where, failure, partial(self._input, symbol, step))

    def _provable(self, symbol: str, step: Any) -> bool:
        if symbol in AT_INPUT:
            return not self.masked and (step["map"] != "layer" or symbol == "schur_column")
        return symbol == "norm_WO" or (symbol in HEAD_NORMS and step["map"] in ("head", "folded-head"))

    def _input(self, symbol: str, step: Any) -> bool:
        bound = Fraction(number(step["inputs"][symbol]["upper"]))
        folded = step["map"] == "folded-head"
        if symbol == "norm_WO":
            return self._output_norm(bound)
        if symbol in HEAD_NORMS:
            head = self.layer.heads[step["head"]]
            return HEAD_NORMS[symbol](head, self.layer.scale_squared, folded, bound * bound)
        if symbol in LOCAL_NORMS:
            return LOCAL_NORMS[symbol](self.heads[step["head"]], bound)
        moments = self.moments(step["head"], folded)
        if symbol == "covariance_term":
            return covariance_term(moments, bound)
        lam = upper_eigenvalues(self.document, step["id"])
        if symbol == "weighted_column":
            return weighted_column(moments, lam, bound)
        return schur_column(moments, factors(self.document, step["id"]), lam, bound)

    def _joint(self, where: str, failure: str, step: Any) -> Iterator[Obligation]:
        """The block Schur test of the whole map, token by token."""
        lam, r = upper_eigenvalues(self.document, step["id"]), factors(self.document, step["id"])
        bound = Fraction(number(step["inputs"]["schur_column"]["upper"]))
        yield Obligation(None, where, failure, lambda: columns_at_most(r, lam, bound))
        joint = JointBound(self.heads, self.layer.output)
        for i, token in enumerate(lam):
            place = f"proof.hints.{step['id']}.lam[{i}]"
            job = partial(joint.eigenvalue_at_most, i, r[i], token)
            yield Obligation((step["id"], i), place, "was not proved to be an upper bound from the weights", job)

    def _output_norm(self, bound: Fraction) -> bool:
        """|W_O|; the heads side by side have the norm 1."""
        if self.layer.output is None:
            return bound >= 1
        output = self.layer.output
        wide = len(output.rows) <= len(output.rows[0])
        return gram_at_most((output if wide else output.T).gram(), bound * bound)

    def witness(self, place: str, witness: Any) -> Iterator[Obligation]:
        """|J u| >= claim |u|."""
        if self.masked or self.written_out:
            self.given[witness["id"]] = ["the claim"]
            return
        failure = f"|J u| >= {witness['claim']} |u| was not proved from the weights"
        yield Obligation(witness["head"], f"{place}.claim", failure, partial(self._witnessed, place, witness))

    def _witnessed(self, place: str, witness: Any) -> bool:
        direction = exact(stored_rows(f"{place}.direction", witness["direction"], self.document["object"]))
        if self.sublayer is not None:
            image = self.sublayer.derivative(direction)
        elif witness["head"] is None:
            image = layer_derivative(self.layer, self.heads, direction)
        else:
            image = derivative(self.heads[witness["head"]], direction)
        return witnesses(image, direction, Fraction(number(witness["claim"])))

    def obligations(self) -> list[Obligation]:
        """Of all steps and witnesses, each once.

        Raises:
            Refused: a hint is missing or has another form than it needs.
        """
        proof = self.document["proof"]
        found = [o for i, step in enumerate(proof["steps"]) for o in self.step(f"proof.steps[{i}]", step)]
        return found + [o for i, w in enumerate(proof["witnesses"]) for o in self.witness(f"proof.witnesses[{i}]", w)]

    def numbers_given(self) -> list[str]:
        """One line for all steps or witnesses of which the same is taken as given."""
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, whats in self.given.items():
            alike.setdefault(tuple(whats), []).append(name)
        return [f"{' and '.join(whats)} of {', '.join(names)}" for whats, names in alike.items()]

    @property
    def large(self) -> bool:
        """Whether several processes are worth their start."""
        return len(self.tokens.rows) * sum(len(head.value.rows) for head in self.layer.heads) >= WORTH_FORKING


def reprove(document: Document, tokens: Sequence[Sequence[float]], model: str | Path) -> Report:
    """Prove every input and witness from the weights.

    Raises:
        Refused: a tensor differs, an input or a witness was not proved.
        Unreadable: the model's file is missing or no safetensors file.
    """
    reproof = Reproof(document, tokens, model)
    proof = document["proof"]
    try:
        demand_all(reproof.obligations(), reproof.large)
    except TooCoarse as error:
        raise Refused("proof.input", f"the weights or tokens are too large for fixed point: {error}") from error
    resting = unproved(document, reproof.given)
    witnesses = 0 if reproof.masked or reproof.written_out else len(proof["witnesses"])
    lines = (
        f"compared with the file by hash: {len(proof['weights'])} tensors",
        f"re-proved from the weights: {len(reproof.inputs)} inputs of steps",
        f"re-proved at the stored input: {witnesses} witnesses",
        *(f"proved in full: {line}" for line in least_proved(document, resting)),
    )
    return Report(lines, (*reproof.numbers_given(), *assumptions(document)), tuple(resting))
