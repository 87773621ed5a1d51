"""The slope of SiLU at 2y is (1 + t)/2 + y (1 - t^2)/2 with t = tanh y, and turns where y t = 1."""

from typing import Any

import sympy as sp

from bounds.notation import turning

from ..entrywise import entry_by_entry
from ..facts import LARGEST
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_x, _z, _t, _y = sp.symbols("x z t y", real=True)
_slope: Any = (1 + sp.tanh(_z)) / 2 + _z * (1 - sp.tanh(_z) ** 2) / 2

PROOF = Proof(
    "silu",
    definitions=(
        r"$g(x) = x (1 + \tanh(x/2)) / 2 = x / (1 + e^{-x})$, and $h(z) = g'(2z)$",
        r"$y$ is any number with $y \tanh y \ge 1$, and $y_0$ the positive one with equality; $z \tanh z$ rises for $z "
        r"\ge 0$, so that $y_0 \le y$",
    ),
    steps=(
        Identity(
            r"$1 / (1 + e^{-x}) = (1 + \tanh(x/2)) / 2$.",
            lhs=1 / (1 + sp.exp(-_x)),
            rhs=(1 + sp.tanh(_x / 2).rewrite(sp.exp)) / 2,
            sizes="x a symbol",
        ),
        Identity(
            r"$h(z) = (1 + t) / 2 + z (1 - t^2) / 2$ with $t = \tanh z$.",
            lhs=sp.diff(_x * (1 + sp.tanh(_x / 2)) / 2, _x).subs(_x, 2 * _z),
            rhs=_slope,
            sizes="x a symbol",
        ),
        Identity(
            r"$h'(z) = (1 - t^2) (1 - z t)$.",
            lhs=sp.diff(_slope, _z),
            rhs=(1 - sp.tanh(_z) ** 2) * (1 - _z * sp.tanh(_z)),
            sizes="z a symbol",
        ),
        Fact(
            r"For $z \ge 0$ the slope is largest at $y_0$.",
            LARGEST,
            letters={"function": r"$h$ on $[0, \infty)$", "derivative": r"$(1 - t^2) (1 - z t)$"},
        ),
        Identity(
            r"There, with $t = 1 / y_0$, the slope is $(1 + y_0) / 2 \le (1 + y) / 2$.",
            lhs=((1 + _t) / 2 + _y * (1 - _t**2) / 2).subs(_t, 1 / _y),
            rhs=(1 + _y) / 2,
            sizes="y a symbol",
        ),
        Identity(
            r"$h(-z) = 1 - h(z)$; so for negative $z$ the slope lies between $1 - (1 + y_0)/2 \ge -(1 + y)/2$ and $1 - "
            r"h(0) = 1/2$, and $|g'| \le (1 + y) / 2$ everywhere.",
            lhs=_slope.subs(_z, -_z),
            rhs=1 - _slope,
            sizes="z a symbol",
        ),
        *entry_by_entry("$(1 + y) / 2$"),
        Concludes(r"The constant is $(1 + y) / 2$.", bound=(1 + turning) / 2),
    ),
)
