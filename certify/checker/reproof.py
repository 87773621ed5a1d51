"""With the model's file: every input of every step and every witness, proved again from the weights."""

import struct
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from .activations import HeadAtInput
from .consistency import stored_rows
from .covariance_bound import covariance_term, weighted_column
from .derivation import COUNTS
from .document import Document, array_bytes, number
from .exact import Exact, exact
from .head_norms import HEAD_NORMS
from .jacobian import derivative, layer_derivative, witnesses
from .local_norms import LOCAL_NORMS
from .moments import Moments
from .norms import gram_at_most
from .report import Refused, Report
from .schur_bound import schur_column
from .softmax import TooCoarse
from .weights import Layer, load_layer

FED = "that the model feeds the stored input to this layer, whose parts are the tensors"
PLAIN = "that the layer is softmax attention over all tokens with the stated scale, no mask and no additive score"
MASKED = "that the layer is softmax attention with the stated scale"
LAM = {"weighted_column": ("lam",), "schur_column": ("lam", "r")}  # hints without which a symbol is taken as given
AT_INPUT = {*LOCAL_NORMS, *LAM, "covariance_term"}


class Reproof:
    """The layer at the stored input; what was proved once is remembered by its number."""

    def __init__(self, document: Document, tokens: Sequence[Sequence[float]], model: str | Path) -> None:
        self.document = document
        self.masked: bool = document["proof"]["geometry"]["masked"]
        self.layer: Layer = load_layer(document, model)
        self.tokens: Exact = exact(tokens)
        self.proved: set[tuple[object, ...]] = set()
        self.given: list[str] = []
        self.moments = cache(self._moments)

    @cached_property
    def heads(self) -> list[HeadAtInput]:
        return [HeadAtInput(self.layer, head, self.tokens) for head in self.layer.heads]

    def _moments(self, head: int, folded: bool) -> Moments:
        return Moments(self.heads[head], folded)

    def step(self, place: str, step: Any) -> None:
        """Prove every real input of the step; raises Refused at the first that was not proved."""
        for symbol, value in step["inputs"].items():
            if symbol in COUNTS or symbol in ("L", "R"):
                continue  # compared with the object, derived, or compared with the stored input already
            where = f"{place}.inputs.{symbol}"
            hints = self.document["proof"]["hints"].get(step["id"], {})
            provable = not self.masked and step["map"] != "layer" and set(LAM.get(symbol, ())) <= set(hints)
            if symbol in AT_INPUT and not provable:
                self.given.append(f"{symbol} of {step['id']}")
                continue
            key = (symbol, step["map"], step["head"], value["upper"], step["id"] if symbol in LAM else None)
            if key not in self.proved and not self._input(where, symbol, step, hints):
                raise Refused(where, f"{value['upper']} was not proved to be an upper bound from the weights")
            self.proved.add(key)

    def _input(self, where: str, symbol: str, step: Any, hints: Any) -> bool:
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
        lam = [Fraction(number(text)) for text in hints.get("lam", ())]
        if symbol == "weighted_column":
            return weighted_column(moments, lam, bound)
        if symbol == "schur_column":
            return schur_column(moments, _factors(step["id"], hints["r"], len(self.tokens.rows)), lam, bound)
        raise Refused(where, "this checker has no proof for the symbol")

    def _output_norm(self, bound: Fraction) -> bool:
        """|W_O|; the heads side by side have the norm 1."""
        if self.layer.output is None:
            return bound >= 1
        output = self.layer.output
        wide = len(output.rows) <= len(output.rows[0])
        return gram_at_most((output if wide else output.T).gram(), bound * bound)

    def witness(self, place: str, witness: Any) -> None:
        """Prove |J u| >= claim |u|; raises Refused where that fails."""
        if self.masked:
            self.given.append(f"the witness {witness['id']}")
            return
        direction = exact(stored_rows(f"{place}.direction", witness["direction"], self.document["object"]))
        if witness["head"] is None:
            image = layer_derivative(self.layer, self.heads, direction)
        else:
            image = derivative(self.heads[witness["head"]], direction)
        if not witnesses(image, direction, Fraction(number(witness["claim"]))):
            raise Refused(f"{place}.claim", f"|J u| >= {witness['claim']} |u| was not proved from the weights")


def _factors(step: str, stored: Any, count: int) -> list[list[float]]:
    """The hint r, (n, n)."""
    place = f"proof.hints.{step}.r"
    if stored["shape"] != [count, count]:
        raise Refused(f"{place}.shape", f"{stored['shape']} is not [n, n]")
    values = struct.unpack(f"<{count * count}f", array_bytes(place, stored))
    if not all(0 < value < float("inf") for value in values):
        raise Refused(f"{place}.base64", "holds a number that is not positive and finite")
    return [list(values[i * count : (i + 1) * count]) for i in range(count)]


def reprove(document: Document, tokens: Sequence[Sequence[float]], model: str | Path) -> Report:
    """Prove every input and witness from the weights.

    Raises:
        Refused: a tensor differs, an input or a witness was not proved.
        Unreadable: the model's file is missing or no safetensors file.
    """
    reproof = Reproof(document, tokens, model)
    proof = document["proof"]
    try:
        for index, step in enumerate(proof["steps"]):
            reproof.step(f"proof.steps[{index}]", step)
        for index, witness in enumerate(proof["witnesses"]):
            reproof.witness(f"proof.witnesses[{index}]", witness)
    except TooCoarse as error:
        raise Refused("proof.input", f"the weights or tokens are too large for fixed point: {error}") from error
    lines = (
        f"compared with the file by hash: {len(proof['weights'])} tensors",
        f"re-proved from the weights: {len(reproof.proved)} inputs of steps",
        f"re-proved at the stored input: {0 if reproof.masked else len(proof['witnesses'])} witnesses",
    )
    parts = ", ".join(f"{role} = {stored['tensor']}" for role, stored in proof["weights"].items())
    return Report(lines, (*reproof.given, f"{FED} {parts}", MASKED if reproof.masked else PLAIN))
