"""Rigorous midpoint-radius arrays on plain BLAS, in round to nearest.

A `BallMatrix` stands for every real array within `rad` of `mid`, entry by entry. Every operation returns an array of
balls that contains the exact result for every choice of reals in the arguments (the inclusion principle), whatever
order BLAS sums in, with FMA or without, on any number of threads.

No information: an entry whose midpoint or radius overflowed or became nan is stored as midpoint 0, radius inf, and
stays so; whoever turns an entry into a bound must find that bound finite or raise NoEnclosure.
"""

from dataclasses import dataclass
from types import EllipsisType

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .nearest import FLUSHED, SUBNORMAL, UNIT, gamma, require_nearest, up

AxisIndex = int | slice | EllipsisType | np.ndarray | None

quiet = np.errstate(all="ignore")  # overflow and nan are not warnings here: they become "no information"


@dataclass(frozen=True, eq=False)
class BallMatrix:
    """All real arrays x with |x - mid| <= rad: two float64 arrays of one shape (any number of axes).

    Raises ValueError for unequal shapes or a negative radius.
    """

    mid: np.ndarray
    rad: np.ndarray
    __array_ufunc__ = None  # numpy arrays never mix silently with balls: say BallMatrix.exact(array)

    def __post_init__(self) -> None:
        mid, rad = np.asarray(self.mid), np.asarray(self.rad)
        if mid.dtype != np.float64 or rad.dtype != np.float64 or mid.shape != rad.shape:
            given = f"{mid.dtype}{mid.shape} and {rad.dtype}{rad.shape}"
            raise ValueError(f"balls need two float64 arrays of one shape, not {given}")
        known = np.isfinite(mid) & (rad >= 0.0) & (rad < np.inf)
        if not known.all():
            if (rad < 0.0).any():
                raise ValueError("a radius is negative")
            mid, rad = np.where(known, mid, 0.0), np.where(known, rad, np.inf)
        object.__setattr__(self, "mid", mid)
        object.__setattr__(self, "rad", rad)

    @classmethod
    def exact(cls, array: ArrayLike) -> "BallMatrix":
        """The array itself, radius zero: float16, float32, float64, or integers that are doubles exactly.

        Raises InputError for nan, infinity, another dtype, or an integer that no double equals.
        """
        values = np.asarray(array)
        if values.dtype.kind not in "fiu" or values.dtype.itemsize > 8:
            raise InputError(f"an array of dtype {values.dtype} is not exact here: convert it to float64 yourself")
        mid = np.array(values, dtype=np.float64)
        if not np.isfinite(mid).all():
            raise InputError("the array contains nan or infinity: nothing can be proved about it")
        if values.dtype.kind in "iu" and not _same_integers(values, mid):
            raise InputError("the array contains an integer beyond 2^53 that no double equals")
        return cls(mid, np.zeros_like(mid))

    @classmethod
    @quiet
    def between(cls, lower: ArrayLike, upper: ArrayLike) -> "BallMatrix":
        """Every real between two float64 arrays of one shape, rounded outward.

        Raises ValueError unless every lower <= upper.
        """
        lower, upper = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
        if not (lower <= upper).all():
            raise ValueError("a lower end point is not below its upper one")
        mid = 0.5 * lower + 0.5 * upper
        half = np.maximum(upper - mid, mid - lower)  # two roundings at most, and no underflow error in a difference
        return cls(mid, up(half))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.mid.shape

    @property
    def ndim(self) -> int:
        return self.mid.ndim

    @property
    def is_exact(self) -> bool:
        """Whether every radius is zero."""
        return not self.rad.any()

    @property
    def T(self) -> "BallMatrix":
        """The transpose in the last two axes."""
        return BallMatrix(self.mid.swapaxes(-1, -2), self.rad.swapaxes(-1, -2))

    mT = T  # numpy's name for it, so that one formula serves balls and plain arrays

    def __len__(self) -> int:
        return len(self.mid)

    def __getitem__(self, index: AxisIndex | tuple[AxisIndex, ...]) -> "BallMatrix":
        return BallMatrix(np.asarray(self.mid[index]), np.asarray(self.rad[index]))

    def reshape(self, *shape: int) -> "BallMatrix":
        return BallMatrix(self.mid.reshape(shape), self.rad.reshape(shape))

    @quiet
    def upper(self) -> np.ndarray:
        """The greatest value of each entry, rounded up (inf where nothing is known)."""
        return np.where(self.rad == 0.0, self.mid, np.nextafter(self.mid + self.rad, np.inf))

    def lower(self) -> np.ndarray:
        """The least value of each entry, rounded down (-inf where nothing is known)."""
        return -(-self).upper()

    def upper_abs(self) -> np.ndarray:
        """The greatest modulus of each entry, rounded up (inf where nothing is known)."""
        return BallMatrix(np.abs(self.mid), self.rad).upper()

    def lower_abs(self) -> np.ndarray:
        """The least modulus of each entry, rounded down, never below zero."""
        return np.maximum(BallMatrix(np.abs(self.mid), self.rad).lower(), 0.0)

    def __neg__(self) -> "BallMatrix":
        return BallMatrix(-self.mid, self.rad)

    @quiet
    def __add__(self, other: "BallMatrix | float") -> "BallMatrix":
        require_nearest()
        other = _ball(other)
        mid = self.mid + other.mid
        rad = np.abs(mid)
        rad *= UNIT
        rad += self.rad
        rad += other.rad
        return BallMatrix(mid, up(rad))

    def __sub__(self, other: "BallMatrix | float") -> "BallMatrix":
        return self + (-_ball(other))

    def __rsub__(self, other: float) -> "BallMatrix":
        return _ball(other) + (-self)

    @quiet
    def __mul__(self, other: "BallMatrix | float") -> "BallMatrix":
        """The elementwise product; an exact zero stays an exact zero."""
        require_nearest()
        other = _ball(other)
        mid = self.mid * other.mid
        rad = np.abs(self.mid) * other.rad + self.rad * (np.abs(other.mid) + other.rad) + UNIT * np.abs(mid)
        # four products may underflow; not where one factor is exactly zero
        lost = np.where(_exact_zero(self) | _exact_zero(other), 0.0, 4.0 * SUBNORMAL)
        return BallMatrix(mid, up(rad) + lost)

    __radd__ = __add__
    __rmul__ = __mul__

    @quiet
    def __matmul__(self, other: "BallMatrix") -> "BallMatrix":
        """The matrix product over the last two axes, batched and broadcast over the leading ones as in numpy.

        Let k be the inner dimension. In any order, with FMA or not, |fl(AB) - AB| <= gamma_k |A||B| + e with
        e = 2k 2^-1022 (1 + gamma_k): k products and k - 1 sums, none of which loses more than 2^-1022 even where
        results are flushed to zero; that loss grows only by the sums after it. Hence for X, Y in the balls

            |XY - fl(AB)| <= |A| (gamma_k |B| + rB) + rA (|B| + rB) + e,

        and the two products of nonnegative matrices are themselves at least (1 - gamma_k) of the truth, less e.
        Exact factors need one of them. BLAS must sum products (no Strassen), in round to nearest.
        """
        if not isinstance(other, BallMatrix):
            return NotImplemented
        require_nearest()
        mid = self.mid @ other.mid
        inner = self.shape[-1]
        if inner == 0:
            return BallMatrix(mid, np.zeros_like(mid))
        size, other_size = np.abs(self.mid), np.abs(other.mid)
        slack = 1.0 + 2.0 * gamma(inner + 8)  # covers 1 / (1 - gamma_k) and the roundings around it
        if self.is_exact and other.is_exact:
            rad = size @ other_size
            rad *= gamma(inner) * slack
        else:
            # gamma |B| may be flushed to zero and then meet a huge |A|: hence the added 2^-1022
            spread = size @ (gamma(inner) * other_size + (other.rad + FLUSHED))
            if not self.is_exact:
                spread = spread + self.rad @ (other_size + other.rad)
            rad = spread * slack
        rad += 8.0 * inner * FLUSHED
        return BallMatrix(mid, rad)

    @quiet
    def sum(self, axis: int) -> "BallMatrix":
        """The sum along one axis: m terms cost gamma_m of the sum of moduli, in any order."""
        require_nearest()
        terms = self.shape[axis]
        size = np.abs(self.mid).sum(axis=axis)
        error = gamma(terms) * size + self.rad.sum(axis=axis)
        # sums have no underflow error, but gamma times a sum of nonzeros may lose half of the least double
        lost = np.where(size > 0.0, SUBNORMAL, 0.0)
        rad = error * (1.0 + 2.0 * gamma(terms + 8)) + lost
        return BallMatrix(np.asarray(self.mid.sum(axis=axis)), np.asarray(rad))


def _ball(value: BallMatrix | float) -> BallMatrix:
    return value if isinstance(value, BallMatrix) else BallMatrix.exact(value)


def _exact_zero(ball: BallMatrix) -> np.ndarray:
    return (ball.mid == 0.0) & (ball.rad == 0.0)


def _same_integers(values: np.ndarray, mid: np.ndarray) -> bool:
    large = np.abs(mid) > 2.0**53 - 1
    return all(int(v) == int(m) for v, m in zip(values[large], mid[large], strict=True))
