"""A variant in floats at one random point: our formulas and torch's map with the same numbers."""

import random
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from bounds import Variant
from bounds.formula import Formula, Letter
from bounds.written_out import FLOATS, WrittenOut
from tests.variants.shelf import LARGER, entries, numbers, outer_letters, outputs, sizes
from tests.variants.torch_maps import MAPS


@dataclass(frozen=True)
class Point:
    """Sizes, numbers and letters of a variant."""

    variant: Variant
    values: dict[Any, Any]

    def of(self, formula: Formula) -> Tensor:
        """Every entry of the output, one after the other."""
        floats = WrittenOut(formula, self.values, FLOATS)
        return torch.tensor([floats.at(at) for at in outputs(self.variant, self.values)], dtype=torch.float64)

    def torch_map(self, *inputs: Tensor) -> Tensor:
        """The plain torch map at these inputs."""
        letters = {at: self.tensor(at) for at in self.values if isinstance(at, Letter)}
        letters |= dict(zip(self.variant.inputs, inputs, strict=True))
        rest = {at: value for at, value in self.values.items() if not isinstance(at, Letter)}
        named = {str(at).replace("^", ""): value for at, value in (rest | letters).items()}
        return MAPS[self.variant.id](SimpleNamespace(**named)).reshape(-1)

    def tensor(self, letter: Letter) -> Tensor:
        shape = [max(lengths) for lengths in zip(*self.values[letter], strict=True)]
        return torch.tensor(list(self.values[letter].values()), dtype=torch.float64).reshape(shape)


def point(variant: Variant, spread: float = 1.0, seed: int = 0) -> Point:
    """Normal entries, those of the inputs times `spread`; nonnegative letters have zeros too, numbers are positive."""
    draw = random.Random(f"{variant.id} {seed}")
    size = sizes(variant, LARGER)
    letters: dict[Any, Any] = {}
    for letter in outer_letters(variant):
        scale = spread if letter in variant.inputs else 1.0
        letters[letter] = {at: scale * draw.gauss(0, 1) for at in entries(letter.shape, size)}
        if letter.label.is_nonnegative:
            # not every third, so that each row keeps some
            letters[letter] = {at: abs(value) * (sum(at) % 3 > 0) for at, value in letters[letter].items()}
    return Point(variant, {**size, **{number: draw.uniform(0.3, 1.5) for number in numbers(variant)}, **letters})
