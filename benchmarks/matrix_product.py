"""Claim: a rigorous product of exact 768 x 768 matrices costs at most 4 plain products `A @ B`.

Run: python -m benchmarks.matrix_product [order]
"""

import sys

import numpy as np

from benchmarks.stopwatch import best_seconds
from certify.arithmetic.matrices import BallMatrix

LIMIT = 4.0


def measure(order: int) -> dict[str, float]:
    """Times in seconds of a plain and of a rigorous product, and the width of the result."""
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((order, order)), rng.standard_normal((order, order))
    a, b = BallMatrix.exact(A), BallMatrix.exact(B)
    plain, rigorous = best_seconds(lambda: A @ B, lambda: a @ b)
    return {"plain": plain, "rigorous": rigorous, "largest radius": float((a @ b).rad.max())}


def main() -> int:
    order = int(sys.argv[1]) if len(sys.argv) > 1 else 768
    result = measure(order)
    ratio = result["rigorous"] / result["plain"]
    print(f"n = {order}: plain {result['plain'] * 1e3:.2f} ms, rigorous {result['rigorous'] * 1e3:.2f} ms")
    print(f"ratio {ratio:.2f} (claimed at n = 768: at most {LIMIT:g}), largest radius {result['largest radius']:.1e}")
    return int(order >= 768 and not ratio <= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
