"""What deflation and the dense proof ask of a linear map that is made of doubles and stands near a Jacobian."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..arithmetic.matrices import BallMatrix
from ..attention_layer import Array

Tokens = NDArray[np.int_]
Mapper = Callable[[Callable[[int], Array], Sequence[int]], Sequence[Array]]


class RoundedMap(Protocol):
    """An exact linear map M of doubles from tokens of size d to `tokens` outputs of size `output_size`.

    `distance` is at least |J - M| for the true Jacobian J, `block_entries` and `column_entries` about how many doubles
    one block of M M^T and one product with M takes.
    """

    @property
    def tokens(self) -> int: ...

    @property
    def output_size(self) -> int: ...

    @property
    def distance(self) -> float: ...

    @property
    def block_entries(self) -> int: ...

    @property
    def column_entries(self) -> int: ...

    def apply(self, vectors: BallMatrix, /) -> BallMatrix:
        """M applied to r inputs (n, d, r), enclosed."""
        ...

    def apply_transposed(self, vectors: BallMatrix, /) -> BallMatrix:
        """M^T applied to r outputs (n, d_out, r), enclosed."""
        ...

    def gram(self, i: int, others: Tokens, /) -> tuple[Array, Array]:
        """Blocks (i, i') of M M^T for i' in `others` (m,): (m, d_out, d_out), and their Frobenius errors (m,)."""
        ...
