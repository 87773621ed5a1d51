"""Along a leading pair of singular vectors the recurrence is that of the Chebyshev polynomials, and those grow fast."""

from typing import Any

import sympy as sp

from bounds.notation import growth, inverse_degree, level

from ..facts import GAUSSIAN, POISSON, SINGULAR_VECTORS, SUBMULTIPLICATIVE, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity

_M: Any = sp.Matrix(2, 3, lambda i, j: sp.Symbol(f"M_{i + 1}{j + 1}", real=True))
_w: Any = sp.Matrix(sp.symbols("w_1:3", real=True))
_v: Any = sp.Matrix(sp.symbols("v_1:4", real=True))
_x, _y, _z = sp.symbols("x y z", positive=True)
_q, _k = sp.symbols("q k", real=True)
_root = 1 + growth + sp.sqrt(growth * (growth + 2))


def _cosh(power: sp.Expr) -> sp.Expr:
    """Of the logarithm of a power of z, itself a symbol."""
    return (power + 1 / power) / 2


def _sinh(power: sp.Expr) -> sp.Expr:
    return (power - 1 / power) / 2


PROOF = Proof(
    "local-chebyshev",
    definitions=(
        r"$M = Df(X)$, $s = |M| / \ell$, and $u$, $v$ is a leading pair of singular vectors",
        r"$a_j$ is $W_j^\top v$ for even $j$ and $W_j^\top u$ for odd $j$, and $e_j$ the same part of the residual "
        r"$F_j$ of $W_{j+1}$",
        r"$T_m(\cosh t) = \cosh m t$ and $U_m(\cosh t) = \sinh((m+1) t) / \sinh t$; $z = e^t$, and $s = \cosh t$ where "
        r"$s \ge 1$",
        r"$c \le |W_0^\top v|$, $\eta = \sum_j |F_j|\, U_{k-1-j}(s_0) / T_k(s_0) < c$ and $\gamma \ge |W_k| / "
        r"(c - \eta)$ with $1 + \gamma \ge T_k(s_0)$, $s_0 \ge 1$; $\tau \ge 1/k$",
    ),
    steps=(
        Fact(
            r"There are unit vectors with $M v = |M| u$ and $M^\top u = |M| v$.",
            SINGULAR_VECTORS,
            letters={"M": r"$M$"},
        ),
        Identity(
            r"$v^\top (M^\top w) = (M v)^\top w$, hence $a_1 = s a_0 + e_0$ and $a_{j+1} = 2 s a_j - a_{j-1} + e_j$.",
            lhs=(_v.T * (_M.T * _w))[0],
            rhs=((_M * _v).T * _w)[0],
            sizes="two outputs and three inputs, every entry a symbol; turned round it is the same",
        ),
        Identity(
            r"$T$ obeys that recurrence without residuals, with $T_0 = 1$ and $T_1 = s$.",
            lhs=_cosh(_y * _z),
            rhs=2 * _cosh(_z) * _cosh(_y) - _cosh(_y / _z),
            sizes="any $m$: $y$ stands for $z^m$",
        ),
        Identity(
            r"So does $U$, with $U_{-1} = 0$ and $U_0 = 1$; by induction and linearity $a_k = T_k(s)\, a_0 + \sum_j "
            r"U_{k-1-j}(s)\, e_j$.",
            lhs=_sinh(_y * _z),
            rhs=2 * _cosh(_z) * _sinh(_y) - _sinh(_y / _z),
            sizes="any $m$: $y$ stands for $z^m$",
        ),
        Fact(
            r"Therefore $T_k(s) |a_0| \le |a_k| + \sum_j U_{k-1-j}(s)\, |e_j|$ for $s \ge 1$.",
            TRIANGLE,
            letters={"S": r"$a_k$", "T": r"the $-U_{k-1-j}(s)\, e_j$"},
        ),
        Fact(
            r"Here $|a_k| \le |W_k|$ and $|e_j| \le |F_j|$, for $u$ and $v$ have norm one.",
            SUBMULTIPLICATIVE,
            letters={"S": r"$W_k^\top$, $F_j^\top$", "T": r"$u$, $v$"},
        ),
        Identity(
            r"$\sinh((m+1)t) - \sinh((m-1)t) = 2 \sinh t \cosh m t$, so that $U_m$ is a sum of terms $2 \cosh q t$ "
            r"with $0 < q \le m$, and of 1 where $m$ is even.",
            lhs=_sinh(_y * _z) - _sinh(_y / _z),
            rhs=2 * _sinh(_z) * _cosh(_y),
            sizes="any $m$: $y$ stands for $z^m$",
        ),
        Identity(
            r"The numerator of the derivative of $\cosh q t / \cosh k t$ is $-\tfrac12 ((k-q) \sinh((k+q)t) + (k+q) "
            r"\sinh((k-q)t)) \le 0$ for $0 \le q \le k$: every $U_{k-1-j} / T_k$ decreases in $s$.",
            lhs=_q * _sinh(_x) * _cosh(_y) - _k * _cosh(_x) * _sinh(_y),
            rhs=-((_k - _q) * _sinh(_x * _y) + (_k + _q) * _sinh(_y / _x)) / 2,
            sizes="any $q$ and $k$: $x$ stands for $z^q$ and $y$ for $z^k$",
        ),
        Identity(
            r"If $s \ge s_0$ then $T_k(s) (c - \eta) \le |W_k|$ and $T_k(s) \le \gamma$; if $1 \le s \le s_0$ then "
            r"$T_k(s) \le T_k(s_0) \le 1 + \gamma$. With $r = 1 + \gamma + \sqrt{\gamma (\gamma + 2)}$, $(r + 1/r) / 2 "
            r"= 1 + \gamma$, so that $k t \le \log r$.",
            lhs=_cosh(_root),
            rhs=1 + growth,
            sizes="every symbol any value",
            least={growth: 0},
        ),
        Fact(
            r"$W_0^\top v$ has independent standard Gaussian entries, as many as $W_0$ has columns: $2 b$.",
            GAUSSIAN,
            letters={"W": r"$W_0$", "v": r"$v$"},
            because={"independent": "the start is drawn so", "fixed": "$v$ depends on $M$ only, not on the start"},
        ),
        Fact(
            r"So $|W_0^\top v| < c$ has probability at most $(c^2/2)^b / b!$.",
            POISSON,
            letters={"g": r"$W_0^\top v$", "t": r"$c^2/2$"},
        ),
        Concludes(
            r"Otherwise $|M| = \ell \cosh t \le \ell \cosh(\tau \log r)$; and where $s < 1$ it is below $\ell$.",
            bound=level * sp.cosh(inverse_degree * sp.log(_root)).rewrite(sp.exp),
        ),
    ),
)
