"""With the model's file: every input of every step and every witness, proved again from the weights."""

import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from .activations import HeadAtInput
from .consistency import stored_rows
from .derivation import COUNTS
from .document import Document, array_bytes, number
from .exact import Exact, exact
from .head_norms import HEAD_NORMS
from .jacobian import derivative, layer_derivative, witnesses
from .local_norms import LOCAL_NORMS
from .norms import gram_at_most
from .report import Refused, Report
from .softmax import TooCoarse
from .weights import Layer, load_layer

GIVEN = (
    "that the model feeds the stored input to this layer, through the LayerNorm named under the weights",
    "that the layer is softmax attention over all tokens, with the stated scale, no mask and no additive score",
)


class Reproof:
    """The layer at the stored input; what was proved once is remembered by its number."""

    def __init__(self, document: Document, tokens: Sequence[Sequence[float]], model: str | Path) -> None:
        self.document = document
        self.layer: Layer = load_layer(document, model)
        self.tokens: Exact = exact(tokens)
        self.proved: set[tuple[object, ...]] = set()
        self.open: list[str] = []

    @cached_property
    def heads(self) -> list[HeadAtInput]:
        return [HeadAtInput(self.layer, head, self.tokens) for head in self.layer.heads]

    def step(self, place: str, step: Any) -> None:
        """Prove every real input of the step; raises Refused at the first that was not proved."""
        for symbol, value in step["inputs"].items():
            if symbol in COUNTS or symbol in ("L", "R"):
                continue  # compared with the object, derived, or compared with the stored input already
            where = f"{place}.inputs.{symbol}"
            key = (symbol, step["map"], step["head"], step["domain"], value["upper"])
            if key in self.proved:
                continue
            if not self._input(where, symbol, step, Fraction(number(value["upper"]))):
                raise Refused(where, f"{value['upper']} was not proved to be an upper bound from the weights")
            self.proved.add(key)

    def _input(self, where: str, symbol: str, step: Any, bound: Fraction) -> bool:
        if symbol == "norm_WO":
            return self._output_norm(where, bound)
        folded = step["map"] == "folded-head"
        if symbol in HEAD_NORMS:
            head = self.layer.heads[step["head"]]
            return HEAD_NORMS[symbol](head, self.layer.scale_squared, folded, bound * bound)
        if symbol in LOCAL_NORMS:
            return LOCAL_NORMS[symbol](self.heads[step["head"]], bound)
        self.open.append(where)
        return True

    def _output_norm(self, where: str, bound: Fraction) -> bool:
        if self.layer.output is None:
            raise Refused(where, "the certificate names no output_weight")
        output = self.layer.output
        wide = len(output.rows) <= len(output.rows[0])
        return gram_at_most((output if wide else output.T).gram(), bound * bound)

    def witness(self, place: str, witness: Any) -> None:
        """Prove |J u| >= claim |u|; raises Refused where that fails."""
        direction = exact(stored_rows(f"{place}.direction", witness["direction"], self.document["object"]))
        if witness["head"] is None:
            image = layer_derivative(self.layer, self.heads, direction)
        else:
            image = derivative(self.heads[witness["head"]], direction)
        if not witnesses(image, direction, Fraction(number(witness["claim"]))):
            raise Refused(f"{place}.claim", f"|J u| >= {witness['claim']} |u| was not proved from the weights")


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
        f"re-proved from the weights: {len(proof['weights'])} tensors by their hash, {len(reproof.proved)} inputs of steps",
        f"re-proved at the stored input: {len(proof['witnesses'])} witnesses",
    )
    return Report(lines, (*reproof.open, *GIVEN))
