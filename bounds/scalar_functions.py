"""Activations with their slopes, and the map that applies one entry by entry."""

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from .formula import Formula
from .letters import e, u, x


@dataclass(frozen=True, eq=False)
class Activation:
    """A function of one number and its slope."""

    value: Callable[[sp.Expr], sp.Expr]
    slope: Callable[[sp.Expr], sp.Expr]

    def entrywise(self) -> tuple[Formula, Formula]:
        """The map of a vector x, and its derivative along e, entry u."""
        return Formula(self.value(x[u])), Formula(self.slope(x[u]) * e[u])


def _half_and(odd: sp.Expr) -> sp.Expr:
    return (1 + odd) / 2


def _normal(z: sp.Expr) -> sp.Expr:
    return _half_and(sp.erf(z / sp.sqrt(2)))


def _inner(z: sp.Expr) -> sp.Expr:
    return sp.sqrt(2 / sp.pi) * (z + _CUBIC * z**3)


def _gelu_tanh_slope(z: sp.Expr) -> sp.Expr:
    inner_slope = sp.sqrt(2 / sp.pi) * (1 + 3 * _CUBIC * z**2)
    return _half_and(sp.tanh(_inner(z))) + z / 2 * (1 - sp.tanh(_inner(z)) ** 2) * inner_slope


def sigmoid(z: sp.Expr) -> sp.Expr:
    return 1 / (1 + sp.exp(-z))


_CUBIC = sp.Rational(44715, 10**6)
GELU = Activation(lambda z: z * _normal(z), lambda z: _normal(z) + z * sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi))
GELU_TANH = Activation(lambda z: z * _half_and(sp.tanh(_inner(z))), _gelu_tanh_slope)
SILU = Activation(lambda z: z * sigmoid(z), lambda z: sigmoid(z) * (1 + z * (1 - sigmoid(z))))
RELU = Activation(lambda z: sp.Max(z, 0), lambda z: sp.Heaviside(z))
