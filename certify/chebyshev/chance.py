"""The random start: how likely it may be to fail, and how much of any one direction it then has."""

import secrets
from dataclasses import dataclass, field
from math import factorial

import numpy as np

from ..arithmetic.arb import ARB
from ..attention_layer import Array
from ..errors import InputError

DEFAULT_FAILURE = 1e-12


def fresh_seed() -> int:
    """128 bits from the operating system, which nobody knew when the input was chosen."""
    return secrets.randbits(128)


@dataclass(frozen=True)
class Chance:
    """The failure probability allowed to each bound, and the seed of the random numbers, fresh by default.

    The probability is over the seed, for a layer and an input that were chosen without looking at it. Two things are
    idealised: the generator's numbers are taken for independent, and doubles for exact Gaussian numbers.

    Raises InputError for a probability that is not between 0 and 1, or a negative seed.
    """

    failure: float = DEFAULT_FAILURE
    seed: int = field(default_factory=fresh_seed)

    def __post_init__(self) -> None:
        if not 1e-300 <= self.failure < 1.0:
            raise InputError(f"the failure probability is {self.failure}: give one between 1e-300 and 1, such as 1e-12")
        if self.seed < 0:
            raise InputError(f"the seed is {self.seed}: give an integer that is not negative")

    def start(self, shape: tuple[int, int], pairs: int, place: int) -> Array:
        """2 `pairs` columns of independent standard Gaussian numbers: (2 pairs, *shape); another `place`, others."""
        return np.random.default_rng([self.seed, place]).standard_normal((2 * pairs, *shape))

    def overlap(self, pairs: int) -> float:
        """c, rounded down: for a unit vector v, |W^T v| < c with probability at most `failure`.

        W^T v has 2 s = 2 `pairs` independent standard Gaussian entries; half its square is a sum of s exponential
        variables, below t with probability P(Poisson(t) >= s) <= t^s / s!. That is `failure` at t = c^2 / 2.
        """
        logarithm = ARB.log(ARB.number(self.failure) * factorial(pairs)) / pairs
        return ARB.bounds(ARB.sqrt(2 * ARB.exp(logarithm))).lower
