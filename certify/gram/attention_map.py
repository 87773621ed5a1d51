"""A layer's rounded rows as a linear map: its products and the blocks of its Gram matrix."""

from dataclasses import dataclass
from functools import cached_property

from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array
from .blocks import GramBlocks
from .products import apply, apply_transposed
from .rounded_map import Tokens
from .rounded_rows import RoundedRows


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """J^ of `rounded_rows`."""

    rows: RoundedRows

    @property
    def tokens(self) -> int:
        return self.rows.tokens

    @property
    def output_size(self) -> int:
        return self.rows.output_size

    @property
    def distance(self) -> float:
        return self.rows.distance

    @property
    def block_entries(self) -> int:
        return max(self.rows.output_size, len(self.rows.values)) ** 2

    @property
    def column_entries(self) -> int:
        return self.tokens * (self.tokens * self.rows.heads + self.rows.values.shape[1])

    @cached_property
    def _blocks(self) -> GramBlocks:
        return GramBlocks(self.rows)

    def apply(self, vectors: BallMatrix) -> BallMatrix:
        return apply(self.rows, vectors)

    def apply_transposed(self, vectors: BallMatrix) -> BallMatrix:
        return apply_transposed(self.rows, vectors)

    def gram(self, i: int, others: Tokens) -> tuple[Array, Array]:
        return self._blocks.outer(i, others)
