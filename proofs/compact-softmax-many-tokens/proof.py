"""Weights of the block Schur test that make every diagonal cost the same; a row's weight against its own variance."""

from fractions import Fraction
from typing import Any

import sympy as sp

from bounds.notation import beta, norm_V, rho, schur_column
from certify.inequality import Claim, HalfLine, Segment

from ..ball import LETTERS
from ..facts import AVERAGE, CAUCHY_SCHWARZ, LOEWNER, MEAN_VALUE, TRACE, StandardFact
from ..measures import TO_MEASURES
from ..proof import Proof
from ..row import SIZES, C, M, average, b, m, x
from ..steps import Cites, Concludes, Fact, Identity, Inequality

CHORD = StandardFact(
    "a convex function lies below its chord",
    r"$e^{\beta z} \le \cosh\beta + z \sinh\beta$ for $-1 \le z \le 1$ and $\beta \ge 0$",
    ("z",),
    ("between",),
)


def _matrix(name: str) -> Any:
    return sp.Matrix(2, 2, lambda i, j: sp.Symbol(f"{name}_{i + 1}{j + 1}", real=True))


_S, _T = _matrix("S"), _matrix("T")
_v, _w, _E, _T0, _own, _slope, _far, _near, _c, _total = sp.symbols("v w E T a b y_0 y_1 c T", positive=True)
_mass, _length, _share, _x, _M = sp.symbols("q s sigma x M", real=True)

# the scalar inequalities: r = 1 - q, c = 4 q r, times exp(-2 beta)
_b, _r, _z = sp.symbols("beta r z", real=True)
_u, _D = sp.symbols("u D", real=True)
_q: Any = 1 - _r
_var: Any = 4 * _q * _r
_rational = sp.Rational
_t: Any = _rational(3, 5) + _rational(3, 2) * _b + _rational(7, 5) * _b**2
_B: Any = 1 + _rational(3, 5) * _b + _rational(16, 27) * _b**2
_START = Fraction(1, 10)


def _without_own(decay: Any) -> Any:
    """The bound less T and G_0, over exp(2 beta); decay stands for exp(-2 beta)."""
    return _B - _b * _t * decay - (_q + _r * decay) * (1 + _b**2 * _var)


def _with_own(decay: Any, twice: Any) -> Any:
    """The bound less T and G_1, over exp(2 beta) and times t - beta c^2; twice stands for exp(-4 beta)."""
    return (_B - _b * _t * decay) * (_t - _b * _var**2) - _t * (_q + _r * twice) * (1 + _b**2 * _var)


def _over_beta(polynomial: Any) -> Any:
    return sp.expand(sp.cancel(sp.expand(polynomial) / _b))


_second: Any = 1 - 2 * _b + 2 * _b**2
_fourth: Any = 1 - 4 * _b + 8 * _b**2 - _rational(32, 3) * _b**3 + _rational(32, 3) * _b**4
_small = (Segment(_b, 0, _START), Segment(_r, 0, 1))
_medium = (Segment(_b, _START, 1), Segment(_r, 0, 1))

_large_claim: Any = _t * (
    1 + _rational(3, 5) * _b - _b * _t * sp.exp(-2 * _b) - _q - _r * sp.exp(-4 * _b) * (1 + _b**2)
) - _b * _var**2 * (_B - _b * _t * sp.exp(-2 * _b))
_past: Any = 1 - _u  # one over beta
_D1 = sp.Symbol("D_1", real=True)
_tt: Any = _rational(3, 5) * _past**2 + _rational(3, 2) * _past + _rational(7, 5)
_BB: Any = _past**2 + _rational(3, 5) * _past + _rational(16, 27)
_large_form: Any = (
    _tt * (_past * _r + _rational(3, 5))
    - sp.exp(-2) * _tt**2 * _D1**2
    - _tt * _r * sp.exp(-4) * (_past * _D**4 + _D**3 * _D1)
    - _var**2 * (_BB - sp.exp(-2) * _tt * _D * _D1)
)

_local = Cites(
    r"With $\|V\|^2$ in every $\lambda_i$, the block Schur test gives the root of $\|V\|^2 e^{2\beta} (1 + 3\rho/5 + "
    r"16\beta^2/27)$ at every point of the ball.",
    "local-schur",
    {schur_column: norm_V**2 * sp.exp(2 * beta) * (1 + 3 * rho / 5 + 16 * beta**2 / 27)},
)

PROOF = Proof(
    "compact-softmax-many-tokens",
    definitions=(
        *LETTERS,
        r"$c_i = |C_i| / R^2$; $\sigma = \rho / \beta$, in $[0, 1]$ (any such number where $\beta = 0$)",
        r"$n Z_i = \sum_l e^{s_{il}}$, so that $n P_{ij} = e^{s_{ij}} / Z_i$",
        r"$\bar x$ is the average of all tokens, $s = |\bar x| / R$, and $u$ a unit vector with $\langle u, \bar x "
        r"\rangle = s R$",
        r"$q'_i = (1 - \sum_l P_{il} s_{il} / \beta) / 2$, $q''_i = (1 + \langle u, m_i\rangle / R) / 2$ and $q_i = "
        r"\max(q'_i, q''_i)$, all in $[0, 1]$",
        r"$y_0(q) = q e^{2\beta} + 1 - q$ and $y_1(q) = q e^{2\beta} + (1 - q) e^{-2\beta}$; $c$ stands for $4 q (1 - "
        r"q)$",
        r"$T_0 = \beta t$ with $t = 3/5 + 3\beta/2 + 7\beta^2/5$, so that $T_0 > \beta^2$ where $\beta > 0$; $T = "
        r"\sigma T_0$, and $\rho > 0$ first",
    ),
    steps=(
        Identity(
            r"For matrices $S$, $T$ of one shape and $v, w > 0$: $S S^\top / v + T T^\top / w - (S + T)(S + T)^\top / "
            r"(v + w)$ is the square of $w S - v T$ over $v w (v + w)$.",
            lhs=_S * _S.T / _v + _T * _T.T / _w - (_S + _T) * (_S + _T).T / (_v + _w),
            rhs=(_w * _S - _v * _T) * (_w * _S - _v * _T).T / (_v * _w * (_v + _w)),
            sizes="2 x 2, every entry a symbol",
        ),
        Identity(
            r"Since $\sum_j P_{ij} (x_j - m_i) = 0$: $\sum_j P_{ij} M_{ij} M_{ij}^\top = I + |b_i|^2 C_i$.",
            lhs=average([factor * factor.T for factor in M]),
            rhs=sp.eye(2) + b.dot(b) * C,
            sizes=SIZES,
        ),
        Fact(
            r"Take $w_{ij} = P_{ij}$ for $j \ne i$ and $w_{ii} = P_{ii} + \tau_i$, $\tau_i > 0$, in the block Schur "
            r"test. The diagonal block is $V (P_{ii} M_{ii} + C_i A)$; so $\lambda_i \le \|V\|^2 |I + |b_i|^2 C_i + "
            r"C_i A A^\top C_i / \tau_i| \le \|V\|^2 (1 + \beta^2 c_i + \rho^2 c_i^2 / \tau_i)$, with $R |b_i| \le "
            r"\beta$.",
            LOEWNER,
            letters={
                "S": r"$\sum_j B_{ij} B_{ij}^\top / w_{ij}$",
                "T": r"$V (I + |b_i|^2 C_i + C_i A A^\top C_i / "
                r"\tau_i) V^\top$",
            },
            because={"ordered": "the two steps before, with the second block over its own weight"},
        ),
        Identity(
            r"With $\tau_i = (T - \rho^2 c_i^2) / (1 + \beta^2 c_i)$ every token's own cost is the same, $\tau_i (1 + "
            r"\beta^2 c_i + \rho^2 c_i^2 / \tau_i) = T$; and $\lambda_i \le \|V\|^2 T / \tau_i = \|V\|^2 (1 + \beta^2 "
            r"c_i) / (1 - \sigma \beta^2 c_i^2 / T_0)$. So column $j$ sums to at most $\|V\|^2 (T + \sum_i P_{ij} (1 "
            r"+ \beta^2 c_i) / (1 - \sigma \beta^2 c_i^2 / T_0))$.",
            lhs=(_total - _own**2 * _c**2) / (1 + _slope**2 * _c) * (1 + _slope**2 * _c) + _own**2 * _c**2,
            rhs=_total,
            sizes="every letter a symbol",
        ),
        Identity(
            r"$\operatorname{tr} C_i = \sum_j P_{ij} |x_j|^2 - |m_i|^2 \le R^2 - |m_i|^2$.",
            lhs=C.trace() + m.dot(m),
            rhs=average([sp.Matrix([y.dot(y)]) for y in x])[0],
            sizes=SIZES,
        ),
        Fact(
            r"So $c_i \le 1 - |m_i|^2 / R^2$.",
            TRACE,
            letters={"S": "$C_i$"},
            because={"positive semidefinite": "an average of squares"},
        ),
        Fact(
            r"$|\sum_l P_{il} s_{il}| = |\langle b_i, m_i\rangle| \le \beta |m_i| / R$ and $|\langle u, m_i\rangle| "
            r"\le |m_i|$; so $c_i \le 1 - (1 - 2 q)^2 = 4 q (1 - q)$ for both $q = q'_i$ and $q = q''_i$, hence for "
            r"$q_i$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$b_i$ or $u$", "y": "$m_i$"},
        ),
        Fact(
            r"$1 / Z_i = \sum_l P_{il} e^{-s_{il}}$, which is at most $\cosh\beta - (1 - 2 q'_i) \sinh\beta = (1 - "
            r"q'_i) e^{-\beta} + q'_i e^{\beta} \le (1 - q_i) e^{-\beta} + q_i e^{\beta}$.",
            CHORD,
            letters={"z": r"$-s_{il} / \beta$"},
            because={"between": r"every score lies in $[-\beta, \beta]$"},
        ),
        Fact(
            r"$2 q''_i = \sum_l P_{il} (1 + \langle u, x_l\rangle / R) \ge e^{-\beta} (1 + s) / Z_i$, for $P_{il} \ge "
            r"e^{-\beta} / (n Z_i)$ and no factor is negative. So $1 / Z_i \le 2 q_i e^{\beta} / (1 + s)$.",
            AVERAGE,
            letters={"q": r"$(1 + \langle u, x_l\rangle / R) / n$", "t": r"$-e^{s_{il}}$"},
            because={"nonnegative": r"$|\langle u, x_l\rangle| \le R$"},
        ),
        Fact(
            r"$\frac1n \sum_i e^{s_{ij}} \le \cosh\beta + \langle A \bar x + a, x_j\rangle \sinh\beta / \beta \le "
            r"H(s) = \cosh\beta + (1 - 2\sigma) \sinh\beta + \sigma (1 + s) \sinh\beta$, for $\langle A \bar x + a, "
            r"x_j\rangle \le \rho s + \beta - \rho$.",
            CHORD,
            letters={"z": r"$s_{ij} / \beta$"},
            because={"between": r"every score lies in $[-\beta, \beta]$"},
        ),
        Identity(
            r"The first two terms of $H(s)$ take the first bound of $1 / Z_i$ and the last takes the second: $H(s) / "
            r"Z_i \le (1 - \sigma) y_0(q_i) + \sigma y_1(q_i)$, for any $s$. (With $E = e^{\beta}$.)",
            lhs=((_E + 1 / _E) / 2 + (1 - 2 * _share) * (_E - 1 / _E) / 2) * ((1 - _mass) / _E + _mass * _E)
            + _share * (_E - 1 / _E) / 2 * 2 * _mass * _E,
            rhs=(1 - _share) * (_mass * _E**2 + 1 - _mass) + _share * (_mass * _E**2 + (1 - _mass) / _E**2),
            sizes="every letter a symbol",
        ),
        Fact(
            r"So $\sum_i P_{ij} (1 + \beta^2 c_i) / (1 - \sigma \beta^2 c_i^2 / T_0) \le \sup_q ((1 - \sigma) y_0 + "
            r"\sigma y_1) (1 + \beta^2 c) / (1 - \sigma \beta^2 c^2 / T_0)$, since the last factors grow with $c_i "
            r"\le 4 q_i (1 - q_i)$: with $g$ the supremum over $q$ of the rest times the smaller of the two bounds of "
            r"$1 / Z$, the sum is at most $H(s) g$.",
            AVERAGE,
            letters={
                "q": r"$e^{s_{ij}} / n$",
                "t": r"$(1 + \beta^2 c_i) / ((1 - \sigma \beta^2 c_i^2 / T_0) Z_i)$",
            },
            because={"nonnegative": "exponentials are not negative"},
        ),
        Identity(
            r"With $x = \beta^2 c^2 / T_0 < 1$ and $M = \max(y_0, y_1 / (1 - x))$: $((1 - \sigma) y_0 + \sigma y_1) / "
            r"(1 - \sigma x) \le (1 - \sigma) y_0 + \sigma M$, for the difference times $1 - \sigma x$ is $\sigma$ "
            r"times $(1 - x) M - y_1 \ge 0$ and $x (1 - \sigma) (M - y_0) \ge 0$.",
            lhs=(1 - _share * _x) * ((1 - _share) * _far + _share * _M) - (1 - _share) * _far - _share * _near,
            rhs=_share * ((1 - _x) * _M - _near + _x * (1 - _share) * (_M - _far)),
            sizes="every letter a symbol",
        ),
        Fact(
            r"So with $G_0 = \sup_q y_0 (1 + \beta^2 c)$ and $G_1 = \sup_q y_1 (1 + \beta^2 c) / (1 - \beta^2 c^2 / "
            r"T_0)$, column $j$ sums to at most $\|V\|^2 ((1 - \sigma) G_0 + \sigma (T_0 + \max(G_0, G_1)))$. It "
            r"remains to show $G_0 \le e^{2\beta} (1 + 16\beta^2/27)$ and $T_0 + G_0, T_0 + G_1 \le e^{2\beta} (1 + "
            r"3\beta/5 + 16\beta^2/27)$; then the column is at most $\|V\|^2 e^{2\beta} (1 + 3\sigma\beta/5 + "
            r"16\beta^2/27)$.",
            AVERAGE,
            letters={"q": r"$1 - \sigma$ and $\sigma$", "t": r"the two terms"},
            because={"nonnegative": r"$0 \le \sigma \le 1$"},
        ),
        Identity(
            r"$16/27 - 4 q^2 (1 - q) = 4 (q - 2/3)^2 (q + 1/3) \ge 0$, so that $q (1 + \beta^2 c) \le q + 16 \beta^2 "
            r"/ 27$.",
            lhs=sp.Rational(16, 27) - 4 * _mass**2 * (1 - _mass),
            rhs=4 * (_mass - sp.Rational(2, 3)) ** 2 * (_mass + sp.Rational(1, 3)),
            sizes="q a symbol",
        ),
        Inequality(
            r"$e^{-2\beta} (1 + \beta^2) \le 1$; with the step before and $r = 1 - q$, $y_0 e^{-2\beta} (1 + \beta^2 "
            r"c) \le q + 16\beta^2/27 + r e^{-2\beta} (1 + \beta^2) \le 1 + 16\beta^2/27$.",
            Claim(
                1 - sp.exp(-2 * _b) * (1 + _b**2),
                (HalfLine(_b, _u, _D),),
                form=1 - _D**2 - (_D1 * _u) ** 2,
            ),
        ),
        Inequality(
            r"Where $\beta \ge 1$, $T_0 \le 3 \beta e^{2\beta} / 5$, and the bound of $T_0 + G_0$ follows: $3/5 - t "
            r"e^{-2\beta} \ge 0$.",
            Claim(
                _rational(3, 5) - _t * sp.exp(-2 * _b),
                (HalfLine(_b, _u, _D, least=1),),
                form=_rational(3, 5) - sp.exp(-2) * _tt * _D1**2,
            ),
        ),
        Inequality(
            r"$e^{-z} \le 1 - z + z^2/2$ for $z$ in $[0, 1]$ (used for $z = 2\beta$).",
            Claim(1 - _z + _z**2 / 2 - sp.exp(-_z), (Segment(_z, 0, 1),)),
        ),
        Inequality(
            r"$e^{-z} \le 1 - z + z^2/2 - z^3/6 + z^4/24$ for $z$ in $[0, 1]$ (used for $z = 4\beta$).",
            Claim(1 - _z + _z**2 / 2 - _z**3 / 6 + _z**4 / 24 - sp.exp(-_z), (Segment(_z, 0, 1),)),
        ),
        Inequality(
            r"$T_0 + G_0$ where $\beta \le 1/10$: the bound less both, over $e^{2\beta}$, falls in $e^{-2\beta}$; "
            r"with the polynomial in its place it is $\beta$ times a polynomial, which is not negative.",
            Claim(_over_beta(_without_own(_second)), _small),
        ),
        Inequality(
            r"$T_0 + G_0$ where $1/10 \le \beta \le 1$, the same without polynomials.",
            Claim(_without_own(sp.exp(-2 * _b)), _medium),
        ),
        Inequality(
            r"$T_0 + G_1$ where $\beta \le 1/10$: the bound less both, over $e^{2\beta}$ and times $t - \beta c^2 > "
            r"0$, falls in $e^{-2\beta}$ and in $e^{-4\beta}$; with the polynomials in their place it is $\beta$ "
            r"times a polynomial, which is not negative.",
            Claim(_over_beta(_with_own(_second, _fourth)), _small),
        ),
        Inequality(
            r"$T_0 + G_1$ where $1/10 \le \beta \le 1$, the same without polynomials.",
            Claim(_with_own(sp.exp(-2 * _b), sp.exp(-4 * _b)), _medium),
        ),
        Inequality(
            r"$T_0 + G_1$ where $\beta \ge 1$, with $q (1 + \beta^2 c) \le q + 16\beta^2/27$ and $1 + \beta^2 c \le 1 "
            r"+ \beta^2$ in the term with $e^{-4\beta}$: what is left over $e^{2\beta}$ is $t (1 + 3\beta/5 - \beta t "
            r"e^{-2\beta} - q - r e^{-4\beta} (1 + \beta^2)) - \beta c^2 (1 + 3\beta/5 + 16\beta^2/27 - \beta t "
            r"e^{-2\beta}) \ge 0$.",
            Claim(
                _large_claim,
                (HalfLine(_b, _u, _D, least=1), Segment(_r, 0, 1)),
                multiplier=1 / _b**3,
                form=_large_form,
            ),
        ),
        _local,
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant on the ball, for every number of tokens; where $\rho = "
            r"0$ it follows as $A$ tends to $0$.",
            MEAN_VALUE,
            letters={
                "f": "the head",
                "K": r"$\{X : |x_i| \le R \text{ for all } i\}$",
                "L": "the bound of the step before",
            },
            because={"convex": "a product of balls", "differentiable": "softmax is smooth, and the rest is linear"},
        ),
        *TO_MEASURES,
        Concludes(
            r"The constant is $\|V\| e^{\beta} \sqrt{1 + 3\rho/5 + 16\beta^2/27}$.",
            bound=_local.bound,
        ),
    ),
)
