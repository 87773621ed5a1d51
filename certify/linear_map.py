"""A linear map in floating point, of which only products are asked: what searches for directions look at."""

from typing import Protocol

from .attention_layer import Array


class LinearMap(Protocol):
    """J from arrays of `input_shape` to arrays of `output_shape`: J E and J^T G (estimates)."""

    @property
    def input_shape(self) -> tuple[int, int]: ...

    @property
    def output_shape(self) -> tuple[int, int]: ...

    def jvp(self, E: Array, /) -> Array: ...

    def vjp(self, G: Array, /) -> Array: ...
