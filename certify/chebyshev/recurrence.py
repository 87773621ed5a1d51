"""The Chebyshev recurrence from a random start, every residual bounded, and what its last vectors say of the norm.

With the level l, columns W_0 and the Jacobian J: W_1 = J W_0 / l + F_0, W_{j+1} = 2 J^T W_j / l - W_{j-1} + F_j with J
and J^T in turn. Let s = |J| / l and v a leading singular vector. If s >= 1, the parts of the W_j along the leading
vectors obey the same recurrence, hence

    T_k(s) |W_0^T v| <= |W_k| + sum_j U_{k-1-j}(s) |F_j|.

U_m / T_k decreases in s for m < k, so at any s_0 >= 1: s <= s_0, or T_k(s) (c - noise) <= |W_k| with the overlap c <=
|W_0^T v| and noise = sum_j |F_j| U_{k-1-j}(s_0) / T_k(s_0). The level may be anything; near the norm it is best.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..arithmetic.arb import ARB
from ..arithmetic.interval import Interval
from ..arithmetic.matrices import BallMatrix, quiet
from ..arithmetic.nearest import gamma
from ..arithmetic.scalars import Scalar
from ..attention_layer import Array
from ..errors import NoEnclosure
from ..method import Enclosed
from ..norms import largest_eigenvalue_upper
from .chance import Chance
from .perturbation import UNDERFLOW, Perturbed

TARGET = 1.015  # of the bound over the level
_PAIRS = (1, 2, 3, 4, 8)  # of columns; more of them leave more room for rounding and cost more products
_ROOM = 1.0 / 8.0  # of the overlap, for the rounding
_BELOW = 0.3  # the level is put where the leading part of the columns grows by about size to this power
_LEAST_LEVEL = 2.0**-300
_LARGE = 2.0**300

Each = Callable[[Callable[[Array], Array], Array], Iterable[Array]]


@dataclass(frozen=True)
class Run:
    """|W_k| and the |F_j|, rounded up, of a recurrence at a level."""

    level: float
    length: float
    residuals: tuple[float, ...]

    @property
    def degree(self) -> int:
        return len(self.residuals)


@dataclass(frozen=True)
class Plan:
    """How many pairs of columns, how many products, and at which level."""

    pairs: int
    degree: int
    level: float


def chebyshev(jacobian: Perturbed, near: float, chance: Chance, place: int, each: Each = map) -> Enclosed:
    """The symbols of `local-chebyshev`, from a start of the chance's own random numbers; `each` maps the columns.

    `near` should be near the norm, for instance a witness. Raises NoEnclosure where a number overflows or the rounding
    errors may hide the random start.
    """
    chosen = plan(jacobian, near, chance)
    start = chance.start(jacobian.input_shape, chosen.pairs, place)
    run = recurrence(jacobian, start, chosen.level, chosen.degree, each)
    return enclosed(run, chance.overlap(chosen.pairs))


def plan(jacobian: Perturbed, near: float, chance: Chance) -> Plan:
    """The cheapest that leaves most of the overlap after rounding; where none does, the level is raised until one does.

    Nothing here has to be right: any plan proves what it finds.
    """
    size, angle = math.prod(jacobian.input_shape), math.acosh(TARGET)

    def option(pairs: int) -> tuple[bool, Plan]:
        overlap = chance.overlap(pairs)
        degree = max(1, math.ceil(math.acosh(1.0 + math.sqrt(size) / overlap) / angle))
        needed = 2.0 * jacobian.error * math.sqrt(2 * pairs * size) / (angle**2 * _ROOM * overlap)
        level = near / math.cosh(_BELOW * math.log(size) / degree)
        return needed <= level, Plan(pairs, degree, max(level, needed, _LEAST_LEVEL))

    options = [option(pairs) for pairs in _PAIRS]
    return next((chosen for fits, chosen in options if fits), options[-1][1])


@quiet
def recurrence(jacobian: Perturbed, start: Array, level: float, degree: int, each: Each = map) -> Run:
    """At most `degree` products from `start` (m, n, d), J and its transpose in turn.

    Each step is a product, a scaling and a difference: |F| is at most the product's error times 2 / level, and three
    roundings of what was added. Raises NoEnclosure where the vectors overflow.
    """
    products = (jacobian.factors.jvp, jacobian.factors.vjp)
    error = jacobian.error / level * (1.0 + gamma(4))
    before, here = start, np.stack(list(each(products[0], start))) / level
    residuals = [error * _size(start) + gamma(4) * _size(here) + 2.0 * UNDERFLOW * len(start) / level]
    for step in range(1, degree):
        after = np.stack(list(each(products[step % 2], here))) * (2.0 / level) - before
        lost = gamma(4) * (_size(after) + _size(before)) + 4.0 * UNDERFLOW * len(start) / level
        residuals.append(2.0 * error * _size(here) + lost)
        before, here = here, after
        if _size(here) > _LARGE:  # far above the level: every further product would say the same
            break
    columns = BallMatrix.exact(np.where(np.isfinite(here), here, 0.0).reshape(len(here), -1))
    length = math.sqrt(float(largest_eigenvalue_upper(columns @ columns.T))) * (1.0 + gamma(2))
    if not (np.isfinite(here).all() and length < np.inf and all(r < np.inf for r in residuals)):
        raise NoEnclosure("the vectors of the recurrence overflow: no random bound")
    return Run(level, length, tuple(r * (1.0 + gamma(16)) for r in residuals))


def _size(columns: Array) -> float:
    """The Frobenius norm, rounded up; squares that underflow add less than 2^-480."""
    flat = columns.reshape(-1)
    return math.sqrt(float(flat @ flat)) * (1.0 + gamma(flat.size + 8)) + 2.0**-480


def enclosed(run: Run, overlap: float) -> Enclosed:
    """Level, growth and 1 / degree. Raises NoEnclosure where the rounding errors may be all of the overlap."""
    base = math.cosh(math.acosh(1.0 + run.length / overlap) / run.degree)
    top, weights = amplification(ARB.number(max(1.0, base * (1.0 - 2.0**-40))), run.degree)
    noise: Scalar = ARB.number(0)
    for weight, residual in zip(weights, run.residuals, strict=True):
        noise = noise + weight * ARB.number(residual)
    left = ARB.bounds(ARB.number(overlap) - noise / top).lower
    if not left > 0.0:
        raise NoEnclosure("the rounding errors may hide the whole random start: no random bound")
    growth = ARB.maximum(ARB.number(run.length) / ARB.number(left), top - 1)
    return Enclosed(
        {
            "level": Interval.point(run.level),
            "growth": ARB.bounds(growth),
            "inverse_degree": ARB.bounds(ARB.number(Fraction(1, run.degree))),
        }
    )


def amplification(s: Scalar, degree: int) -> tuple[Scalar, list[Scalar]]:
    """T_k(s) and U_{k-1-j}(s) for j = 0, ..., k-1, at s >= 1, by powers of z = s + sqrt(s^2 - 1).

    T_k = (z^k + z^-k) / 2 and U_m = z U_{m-1} + z^-m: nothing cancels, so the enclosures stay narrow.
    """
    z: Scalar = s + ARB.sqrt(ARB.maximum(s * s - 1, ARB.number(0)))
    inverse = 1 / z
    low: Scalar = ARB.number(1)
    second: list[Scalar] = [low]
    for _ in range(1, degree):
        low = low * inverse
        second.append(z * second[-1] + low)
    return (ARB.power(z, degree) + ARB.power(inverse, degree)) / 2, second[::-1]
