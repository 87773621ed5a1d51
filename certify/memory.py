"""How much memory the tight tier will take, told before it starts and refused where it is not there."""

import os
from pathlib import Path

from .attention_layer import AttentionLayer
from .errors import InputError
from .progress import Progress
from .sublayer.sublayer import Kind

DIRECTIONS = 40  # what deflation begins with
_LARGE = 1e9
PROGRAM = 145e6  # Python, numpy and the other libraries
_WEIGHTS, _DIAGONAL, _SCALED, _COLUMNS = 68.0, 3.2, 4.0, 4.0  # measured: arrays of each kind held at the peak
_LEFT, _ADDED = 12.0, 4.0  # the same of what stands around the attention


def estimated_bytes(layer: AttentionLayer, n: int, block: Kind | None = None) -> float:
    """About the largest resident memory of `certify layer` in the tight tier on n tokens (an estimate, within 20 %).

    The largest arrays are D (n, H v, d), z (n, n, H v) and the directions (n, d_out, r) of `gram`; around the attention
    the norm's Jacobians (n, d, d), or w and q (n, n, H v) with what is concatenated of them.
    """
    Hv, d = layer.heads * layer.value_size, layer.width
    d_out = layer.output_size
    entries = _WEIGHTS * Hv * d + _DIAGONAL * n * Hv * d + _SCALED * n * n * Hv + _COLUMNS * DIRECTIONS * n * d_out
    entries += {"post-norm": _LEFT * n * d * d, "pre-norm": _ADDED * n * n * Hv}.get(block or "", 0.0)
    return PROGRAM + 8.0 * entries


def available_bytes() -> float:
    """Memory that can be had without swapping, inf where the system does not say."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * float(line.split()[1])
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return float("inf")


def require_memory(layer: AttentionLayer, n: int, progress: Progress, block: Kind | None = None) -> None:
    """Tell the estimate, as a note where it is large. Raises InputError, with the figures, where there is less."""
    needed, available = estimated_bytes(layer, n, block), available_bytes()
    if needed > available:
        raise InputError(
            f"the tight tier takes about {gigabytes(needed)} of memory for {n} tokens, {gigabytes(available)} are "
            "available: ask for fewer tokens, or for --tier fast"
        )
    tell = progress.note if needed > _LARGE else progress.step
    tell(f"{n} tokens: about {gigabytes(needed)} of memory")


def gigabytes(size: float) -> str:
    return f"{size / 1e9:.2f} GB"
