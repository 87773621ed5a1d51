"""The norm of one softmax row's Jacobian, by a secular equation: the letters and steps that several proofs share."""

import sympy as sp

from .facts import DETERMINANT_LEMMA, INTERLACING
from .steps import Fact, Identity, Step

_p1, _p2 = sp.symbols("p_1 p_2", real=True)
_mu = _p1 * (1 - _p1 + _p2)

SECULAR: tuple[Step, ...] = (
    Identity(
        r"$\mu - p_{(2)} = (p_{(1)} - p_{(2)}) (1 - p_{(1)})$ and $p_{(1)} - \mu = p_{(1)} (p_{(1)} - p_{(2)})$, "
        r"so $p_{(2)} \le \mu \le p_{(1)}$. If $p_{(1)} = p_{(2)}$ then $\mu = p_{(1)}$ and $J_i \preceq "
        r"\operatorname{diag}(P_i) \preceq \mu I$; if $p_{(1)} = 1$ then $J_i = 0$. Otherwise both inequalities "
        r"are strict.",
        lhs=sp.Matrix([_mu - _p2, _p1 - _mu]),
        rhs=sp.Matrix([(_p1 - _p2) * (1 - _p1), _p1 * (_p1 - _p2)]),
        sizes="two numbers, each a symbol",
    ),
    Identity(
        r"In that case $\sum_{k \ge 2} p_{(k)}^2 / (\mu - p_{(k)}) \le p_{(2)} (1 - p_{(1)}) / (\mu - p_{(2)})$, "
        r"for the other weights sum to $1 - p_{(1)}$; and $1 + p_{(2)} (1 - p_{(1)}) / (\mu - p_{(2)}) = "
        r"p_{(1)}^2 / (p_{(1)} - \mu)$. So $1 + p^\top D^{-1} p \le 0$ for $D = \mu I - \operatorname{diag}(P_i)$.",
        lhs=1 + _p2 * (1 - _p1) / (_mu - _p2),
        rhs=_p1**2 / (_p1 - _mu),
        sizes="two numbers, each a symbol",
    ),
    Fact(
        r"$D$ has one negative eigenvalue, $\mu - p_{(1)}$, so $\det(\mu I - J_i) = \det D\, (1 + p^\top D^{-1} "
        r"p) \ge 0$.",
        DETERMINANT_LEMMA,
        letters={"D": r"$\mu I - \operatorname{diag}(P_i)$", "p": "$P_i$"},
        because={"invertible": r"$p_{(2)} < \mu < p_{(1)}$"},
    ),
    Fact(
        r"$\mu I - J_i = D + P_i P_i^\top$ has at most one negative eigenvalue, and none if its determinant is "
        r"positive. The same holds for every number slightly above $\mu$, where the determinant is positive, so "
        r"$|J_i| = \lambda_{\max}(J_i) \le \mu \le g(P)$.",
        INTERLACING,
        letters={"D": r"$\mu I - \operatorname{diag}(P_i)$", "p": "$P_i$"},
        because={"symmetric": "it is diagonal"},
    ),
)
