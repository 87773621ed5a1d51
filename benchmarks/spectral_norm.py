"""Claim: the norm of a dense 768 x 768 matrix is enclosed to 1e-8 in at most 3 times a `numpy.linalg.svd` for values.

Run: python -m benchmarks.spectral_norm [order]
"""

import sys

import numpy as np

from benchmarks.stopwatch import best_seconds
from certify.arithmetic.matrices import BallMatrix
from certify.norms import spectral_norm

LIMIT, WIDTH = 3.0, 1e-8


def measure(order: int) -> dict[str, float]:
    """Times in seconds of the floating-point singular values and of the enclosure, and hi/lo - 1."""
    W = np.random.default_rng(0).standard_normal((order, order))
    ball = BallMatrix.exact(W)
    svd, verified = best_seconds(lambda: np.linalg.svd(W, compute_uv=False), lambda: spectral_norm(ball), repeats=5)
    interval = spectral_norm(ball)
    return {"svd": svd, "verified": verified, "width": interval.upper / interval.lower - 1.0}


def main() -> int:
    order = int(sys.argv[1]) if len(sys.argv) > 1 else 768
    result = measure(order)
    ratio = result["verified"] / result["svd"]
    print(f"n = {order}: svd {result['svd'] * 1e3:.1f} ms, verified {result['verified'] * 1e3:.1f} ms")
    print(f"ratio {ratio:.2f} (claimed at n = 768: at most {LIMIT:g}), hi/lo - 1 = {result['width']:.1e}")
    return int(not result["width"] <= WIDTH or (order >= 768 and not ratio <= LIMIT))


if __name__ == "__main__":
    sys.exit(main())
