"""The derivative of GELU turns where its own derivative, phi(x) (2 - x^2), changes sign."""

from typing import Any

import sympy as sp

from certify.inequality import Claim, Segment

from ..entrywise import entry_by_entry
from ..facts import LARGEST
from ..proof import Proof
from ..steps import Concludes, Fact, Identity, Inequality

_x, _s = sp.symbols("x s", real=True)
_gelu: Any = _x * (1 + sp.erf(_x / sp.sqrt(2))) / 2
_density: Any = sp.exp(-(_x**2) / 2) / sp.sqrt(2 * sp.pi)
_slope: Any = (1 + sp.erf(_x / sp.sqrt(2))) / 2 + _x * _density
_peak = (1 + sp.erf(1)) / 2 + sp.exp(-1) / sp.sqrt(sp.pi)

PROOF = Proof(
    "gelu",
    definitions=(
        r"$g(x) = x \Phi(x)$, with $\Phi(x) = (1 + \operatorname{erf}(x / \sqrt 2)) / 2$ and its density $\varphi$",
    ),
    steps=(
        Identity(
            r"$g'(x) = \Phi(x) + x \varphi(x)$.",
            lhs=sp.diff(_gelu, _x),
            rhs=_slope,
            sizes="x a symbol",
        ),
        Identity(
            r"$g''(x) = (2 - x^2) \varphi(x)$.",
            lhs=sp.diff(_slope, _x),
            rhs=(2 - _x**2) * _density,
            sizes="x a symbol",
        ),
        Fact(
            r"For $x \ge 0$ the slope is largest at $\sqrt 2$.",
            LARGEST,
            letters={"function": r"$g'$ on $[0, \infty)$", "derivative": r"$(2 - x^2) \varphi(x)$"},
        ),
        Identity(
            r"There $g'(\sqrt 2) = (1 + \operatorname{erf}(1)) / 2 + e^{-1} / \sqrt\pi$.",
            lhs=_slope.subs(_x, sp.sqrt(2)),
            rhs=_peak,
            sizes="numbers",
        ),
        Identity(
            r"$g'(-x) = 1 - g'(x)$; so for negative $x$ the slope lies between $1$ less that number and $1 - g'(0) = "
            r"1/2$.",
            lhs=_slope.subs(_x, -_x),
            rhs=1 - _slope,
            sizes="x a symbol",
        ),
        Inequality(
            r"That number is at most $3/2$, for $\operatorname{erf} \le 1$ and $e^{-1} / \sqrt\pi \le 1/2$ (here with "
            r"$s = 1$ in place of $\operatorname{erf}$); so $|g'| \le$ that number everywhere.",
            Claim(sp.Rational(3, 2) - (1 + _s) / 2 - sp.exp(-1) / sp.sqrt(sp.pi), (Segment(_s, 0, 1),)),
        ),
        *entry_by_entry("that number"),
        Concludes(r"The constant is $(1 + \operatorname{erf}(1)) / 2 + e^{-1} / \sqrt\pi$.", bound=_peak),
    ),
)
