"""Two orthogonal parts of the outputs, and the Schur test for the norms between them: what two theorems share."""

from typing import Any

import sympy as sp

from .facts import AVERAGE, CAUCHY_SCHWARZ, SUBMULTIPLICATIVE, TRIANGLE
from .steps import Fact, Identity, Step

_a, _b, _c, _s = sp.symbols("a b c s", positive=True)
_G: Any = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"G_{min(i, j) + 1}{max(i, j) + 1}", real=True))
_p: Any = sp.Matrix(sp.symbols("p_1:4", real=True))
_q: Any = sp.Matrix(sp.symbols("q_1:4", real=True))
_theta = sp.symbols("theta", real=True)

DEFINITIONS = (
    r"$M$ is any matrix of the Jacobian's shape, $\varepsilon \ge \|Df(X) - M\|$, and $G = M M^\top$",
    r"every $x$ is $p + q$ with $p$ in the span of $U$ and $q$ orthogonal to it; $a = |p|$, $b = |q|$",
    r"$t$, $c$ and $g$ are at least the norms of $G$ from the span to itself, from the span to its complement and "
    r"from the complement to itself; $s > 0$; $\theta \ge \max(t + s c, g + c/s)$",
)

STEPS: tuple[Step, ...] = (
    Fact(
        r"$\|Df(X)\| \le \varepsilon + \|M\|$, and $\|M\|^2$ is the largest value of $x^\top G x$ for $|x| = 1$.",
        TRIANGLE,
        letters={"S": r"$Df(X) - M$", "T": r"$M$"},
    ),
    Identity(
        r"$x^\top G x = p^\top G p + 2 q^\top G p + q^\top G q$.",
        lhs=((_p + _q).T * _G * (_p + _q))[0],
        rhs=(_p.T * _G * _p)[0] + 2 * (_q.T * _G * _p)[0] + (_q.T * _G * _q)[0],
        sizes="three outputs, G symmetric, every entry a symbol",
    ),
    Fact(
        r"Each part is at most a norm: $p^\top G p \le t a^2$, $q^\top G q \le g b^2$, and $q^\top G p$ is the "
        r"product of $q$ with the part of $G p$ orthogonal to the span.",
        SUBMULTIPLICATIVE,
        letters={"S": r"$p^\top$, $q^\top$", "T": r"the parts of $G$"},
    ),
    Fact(r"So $q^\top G p \le c\,a\,b$.", CAUCHY_SCHWARZ, letters={"x": r"$q$", "y": r"the part of $G p$"}),
    Identity(
        r"$2 c a b = s c a^2 + (c/s) b^2 - c (\sqrt s\, a - b / \sqrt s)^2$, and the last term only helps.",
        lhs=2 * _c * _a * _b,
        rhs=_s * _c * _a**2 + _c / _s * _b**2 - _c * (sp.sqrt(_s) * _a - _b / sp.sqrt(_s)) ** 2,
        sizes="every letter a symbol",
    ),
    Fact(
        r"So $x^\top G x \le (t + s c) a^2 + (g + c/s) b^2 \le \theta (a^2 + b^2) = \theta |x|^2$.",
        AVERAGE,
        letters={"q": r"$a^2$, $b^2$", "t": r"$t + s c$, $g + c/s$"},
        because={"nonnegative": "squares are not negative"},
    ),
    Identity(
        r"How $g$ is found: what is orthogonal to $U$ does not see $U \Theta U^\top$, so that there $G$ may be "
        r"replaced by $G - U \Theta U^\top$, whose norm is at most that of the matrix of its blocks' norms.",
        lhs=(_q.T * (_G - _theta * _p * _p.T) * _q)[0].subs(_q[2], -(_p[0] * _q[0] + _p[1] * _q[1]) / _p[2]),
        rhs=(_q.T * _G * _q)[0].subs(_q[2], -(_p[0] * _q[0] + _p[1] * _q[1]) / _p[2]),
        sizes="three outputs, one direction p with its last entry not zero, q orthogonal to it",
    ),
)
