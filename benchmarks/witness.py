"""The witness against power iteration through torch.func: the same layer, the same accuracy, one run.

    python -m benchmarks.witness [--tokens 128] [--size 768] [--heads 12]

A random layer of BERT-base size. Both must reach a norm within 1e-6 (relative) of the converged one; power iteration is
counted up to the first step whose estimate is that close. Prints seconds, the ratio, and the arithmetic rate of the
closed-form products against a plain matrix product.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from certify.attention_layer import JacobianProducts
from certify.loaders import load
from certify.lower.lanczos import leading_direction

ACCURACY = 1e-6
T = TypeVar("T")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--size", type=int, default=768)
    parser.add_argument("--heads", type=int, default=12)
    options = parser.parse_args()
    import torch

    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(options.size, options.heads, batch_first=True).double()
    module.eval().requires_grad_(False)
    X = np.random.default_rng(0).standard_normal((options.tokens, options.size))
    layer = load(module).attention
    products = JacobianProducts(layer, X)

    ours, direction = timed(lambda: leading_direction(products))
    norm = float(np.linalg.norm(products.jvp(direction)) / np.linalg.norm(direction))
    theirs, steps = timed(lambda: power_iteration(module, torch.from_numpy(X), norm))
    print(f"Lanczos on the closed form    {ours:8.2f} s   norm {norm:.9g}")
    print(f"power iteration, torch.func   {theirs:8.2f} s   {steps} steps to {ACCURACY:g}")
    print(f"ratio {theirs / ours:.1f}")
    print(f"closed-form products run at {rate(products, X, layer):.0f} % of a plain matrix product")
    return 0


def power_iteration(module, X, norm: float) -> int:  # torch types, which are not imported here
    """Steps of v <- J^T J v until |J v| / |v| is within the accuracy of the norm."""
    import torch

    def f(x):
        return module(x[None], x[None], x[None])[0][0]  # with weights: the fused kernel has no forward mode

    v = torch.randn(X.shape, dtype=X.dtype, generator=torch.Generator().manual_seed(1))
    for step in range(1, 100_000):
        v = v / v.norm()
        image = torch.func.jvp(f, (X,), (v,))[1]
        if float(image.norm()) >= norm * (1 - ACCURACY):
            return step
        v = torch.func.vjp(f, X)[1](image)[0]
    raise RuntimeError("power iteration did not reach the norm")


def rate(products: JacobianProducts, X: np.ndarray, layer) -> float:
    """Floating-point rate of one jvp in per cent of a square matrix product of the tokens' size."""
    n, d = X.shape
    inner = layer.heads * layer.head_size
    flops = 2.0 * n * d * 3 * inner + 2.0 * n * n * 4 * inner + 2.0 * n * inner * d
    square = np.random.default_rng(0).standard_normal((1024, 1024))
    E = np.random.default_rng(1).standard_normal(X.shape)
    return 100.0 * (flops / best(lambda: products.jvp(E))) / (2.0 * 1024**3 / best(lambda: square @ square))


def best(function: Callable[[], object], repeats: int = 7) -> float:
    return min(timed(function)[0] for _ in range(repeats))


def timed(function: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    result = function()
    return time.perf_counter() - started, result


if __name__ == "__main__":
    sys.exit(main())
