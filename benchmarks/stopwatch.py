"""Fair timing of two functions on a machine that does other things too."""

import time
from collections.abc import Callable


def best_seconds(first: Callable[[], object], second: Callable[[], object], repeats: int = 15) -> tuple[float, float]:
    """The least time of each, called in turn so that both meet the same load; one call of each is not counted."""
    _seconds(first)
    _seconds(second)
    times = [(_seconds(first), _seconds(second)) for _ in range(repeats)]
    return min(t for t, _ in times), min(t for _, t in times)


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
