"""Doubles as integers in units of 2^-1074, so that array results can be checked without any rounding."""

import numpy as np

from certify.arithmetic.matrices import BallMatrix

UNITS = 1074
KINDS = ("normal", "subnormal", "tiny", "huge", "mixed", "cancelling", "integers", "sparse")


def units(array: np.ndarray) -> np.ndarray:
    """Every finite double as an integer number of 2^-1074."""
    exact = [(n << UNITS) // d for n, d in (float(x).as_integer_ratio() for x in np.ravel(array))]
    out = np.empty(len(exact), dtype=object)
    out[:] = exact
    return out.reshape(np.shape(array))


def escapes(ball: BallMatrix, exact: np.ndarray, factors: int = 1) -> int:
    """How many exact entries, integers in units of 2^(-1074 factors), lie outside their balls."""
    known = np.isfinite(ball.rad)
    lift = 1 << UNITS * (factors - 1)
    distance = abs(exact[known] - units(ball.mid[known]) * lift)
    return int((distance > units(ball.rad[known]) * lift).sum())


def doubles(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    """Random doubles of one of the KINDS."""
    x = rng.standard_normal(shape)
    match kind:
        case "subnormal":
            return x * 2.0**-1060
        case "tiny":
            return np.ldexp(x, rng.integers(-700, -400, shape))
        case "huge":
            return np.ldexp(x, rng.integers(400, 505, shape))
        case "mixed":
            return np.ldexp(x, rng.integers(-500, 500, shape))
        case "cancelling":
            half = np.ldexp(x, rng.integers(-3, 4, shape))
            return np.where(rng.random(shape) < 0.5, half, -np.roll(half, 1, axis=-1)) + 2.0**-50 * x
        case "integers":
            return rng.integers(-(2**27), 2**27, shape).astype(np.float64)
        case "sparse":
            return np.where(rng.random(shape) < 0.4, x, 0.0)
        case _:
            return x


def balls(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> BallMatrix:
    """Balls around doubles of that kind; half of the arrays are exact."""
    mid = doubles(rng, kind, shape)
    if rng.random() < 0.5:
        return BallMatrix.exact(mid)
    share = np.ldexp(rng.random(shape), rng.integers(-60, 2, shape))
    return BallMatrix(mid, np.abs(doubles(rng, kind, shape)) * share)


def corner(rng: np.random.Generator, ball: BallMatrix) -> np.ndarray:
    """A real array on the boundary of the balls (or their midpoints), as integers."""
    return units(ball.mid) + rng.integers(-1, 2, ball.shape) * units(ball.rad)
