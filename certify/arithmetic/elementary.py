"""Rigorous elementary functions on arrays of balls, built from correctly rounded + - * / sqrt only.

numpy's exp comes with no proof, so it is not used.
"""

from fractions import Fraction
from math import factorial

import numpy as np

from .matrices import BallMatrix, quiet
from .nearest import SUBNORMAL, UNIT, require_nearest, up

EXP_ERROR = 2.0**-51  # proved relative error of exp_nearby, see there
_DEGREE = 14
_TAYLOR = tuple(float(Fraction(1, factorial(j))) for j in range(_DEGREE + 1))
_LOG2E = float.fromhex("0x1.71547652b82fep+0")
_LN2_HIGH = float.fromhex("0x1.62e42feep-1")  # 32 bits: k times it is exact for |k| < 2^21
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")  # |ln 2 - high - low| <= 2^-86
_LEAST, _GREATEST = -746.0, 710.0  # exp is below 2^-1076 and above the greatest double there
_BLOCK = 1 << 14  # entries worked on at a time: two blocks stay in the cache


@quiet
def exp_nearby(x: np.ndarray) -> np.ndarray:
    """exp of doubles, with |result - exp(x)| <= 2^-51 exp(x) + 2^-1074; inf where it overflows.

    Proof. k = rint(x / ln 2) has |k| <= 1077 and k ln2_high is exact (32 + 11 bits). If k = 0 then x - k ln2_high = x;
    else |x| > 1/4, so x and k ln2_high are multiples of 2^-54, their difference is one too and below 1/2, hence exact.
    Subtracting fl(k ln2_low) rounds twice: |k ln2_low| < 2^-22, so r differs from x - k ln 2 by at most
    2^-55 + 2^-75 + 1077 * 2^-86 < 2^-54.9, and |r| <= (ln 2)/2 + 2^-20 < 0.36.
    Horner's rule s_j = fl(c_j + fl(r s_{j+1})) with c_j = fl(1/j!) has errors
    E_j <= |r| E_{j+1} + u (|c_j| + |r s_{j+1}| + |s_j|) up to factors 1 + u, and E_0 <= 3 u exp(r); Taylor's
    remainder is below 0.36^15 / 15! * 1.5 < 2^-61, and exp(2^-54.9) - 1 < 0.27 u: together less than 4 u = 2^-51
    (the tests run this recurrence in rational arithmetic). Scaling by 2^k goes in two exact steps, of which the last
    may underflow and then loses at most 2^-1075; below -746 both the result 0 and the truth are under 2^-1074.
    """
    require_nearest()
    flat = np.ascontiguousarray(x, dtype=np.float64).reshape(-1)
    out = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        out[start : start + _BLOCK] = _exp_block(flat[start : start + _BLOCK])
    return out.reshape(np.shape(x))


def _exp_block(x: np.ndarray) -> np.ndarray:
    x = np.clip(x, _LEAST, _GREATEST)
    k = np.rint(x * _LOG2E)
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    s = np.full_like(r, _TAYLOR[-1])
    for coefficient in reversed(_TAYLOR[:-1]):
        s *= r
        s += coefficient
    k = k.astype(np.int64)
    half = k >> 1
    return s * _power_of_two(half) * _power_of_two(k - half)


def _power_of_two(exponent: np.ndarray) -> np.ndarray:
    """2^k as doubles, for -1022 <= k <= 1023: the exponent field written directly."""
    return ((exponent + 1023) << 52).view(np.float64)


@quiet
def exp(x: BallMatrix) -> BallMatrix:
    """exp of every real in the balls; no information where it overflows.

    exp(m + t) differs from exp(m) by at most exp(m)(e^r - 1) for |t| <= r, and e^r - 1 <= r / (1 - r/2) for r < 2
    (compare the power series); wider balls take exp(r) itself.
    """
    mid = exp_nearby(x.mid)
    growth = x.rad / (1.0 - 0.5 * np.minimum(x.rad, 1.0))
    wide = x.rad > 1.0
    if wide.any():
        growth = np.where(wide, exp_nearby(x.rad) * (1.0 + 2.0 * EXP_ERROR), growth)
    # (mid (1 + 2 error) + 2^-1073) bounds exp(m) from above; products may underflow: counted in the last term
    rad = up((mid * (1.0 + 2.0 * EXP_ERROR) + 2.0 * SUBNORMAL) * growth + EXP_ERROR * 2.0 * mid) + 4.0 * SUBNORMAL
    return BallMatrix(mid, rad)


@quiet
def sqrt(x: BallMatrix) -> BallMatrix:
    """The square root of every nonnegative real in the balls; no information where a ball is all negative."""
    require_nearest()
    lower, upper = np.maximum(x.lower(), 0.0), x.upper()
    low = np.maximum(np.nextafter(np.sqrt(lower), -np.inf), 0.0)
    high = np.nextafter(np.sqrt(upper), np.inf)
    known = np.isfinite(high)  # nan for a negative ball, inf for no information
    ball = BallMatrix.between(np.where(known, low, 0.0), np.where(known, high, 0.0))
    return BallMatrix(ball.mid, np.where(known, ball.rad, np.inf))


@quiet
def reciprocal(x: BallMatrix) -> BallMatrix:
    """One over every real in the balls; no information where a ball contains zero.

    |1/y - 1/m| <= r / (|m| (|m| - r)) for |y - m| <= r < |m|.
    """
    require_nearest()
    size, least = np.abs(x.mid), x.lower_abs()
    mid = 1.0 / x.mid
    rad = up(up(x.rad / least) / size + UNIT * np.abs(mid)) + 4.0 * SUBNORMAL
    return BallMatrix(mid, np.where(least > 0.0, rad, np.inf))


@quiet
def softmax(scores: BallMatrix, visible: np.ndarray | None = None) -> BallMatrix:
    """Softmax over the last axis: balls that contain P for every matrix of scores in the balls.

    Shapes: scores (..., n), visible a bool array that broadcasts to it (None: everything is visible).
    Masked entries are exactly zero, so a fully masked row is all zero; every entry is intersected with [0, 1].
    Subtracting one constant per row, here the greatest visible midpoint, does not change P.
    """
    seen = np.broadcast_to(True if visible is None else np.asarray(visible, dtype=bool), scores.shape)
    top = np.where(seen, scores.mid, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    shift = BallMatrix.exact(np.where(np.isfinite(top), top, 0.0))
    weights = _masked(exp(scores - shift), seen)
    total = weights.sum(axis=-1)
    empty = ~seen.any(axis=-1)
    total = BallMatrix(np.where(empty, 1.0, total.mid), np.where(empty, 0.0, total.rad))
    share = weights * reciprocal(total)[..., None]
    return _masked(_clipped(share), seen)


def _masked(x: BallMatrix, seen: np.ndarray) -> BallMatrix:
    return BallMatrix(np.where(seen, x.mid, 0.0), np.where(seen, x.rad, 0.0))


def _clipped(x: BallMatrix) -> BallMatrix:
    """The balls intersected with [0, 1]; balls inside are left as they are."""
    lower, upper = x.lower(), x.upper()
    inside = (lower >= 0.0) & (upper <= 1.0)
    if inside.all():
        return x
    cut = BallMatrix.between(np.clip(lower, 0.0, 1.0), np.clip(upper, 0.0, 1.0))
    return BallMatrix(np.where(inside, x.mid, cut.mid), np.where(inside, x.rad, cut.rad))
