"""Row by row: the own score and the moved tokens together, and the two largest moves apart from the others."""

from fractions import Fraction
from typing import Any

import sympy as sp

from bounds.notation import beta, n, norm_V, rho
from certify.inequality import Claim, Segment

from ..ball import LETTERS, ON_THE_BALL
from ..facts import AVERAGE, CAUCHY_SCHWARZ, SUBMULTIPLICATIVE, TRACE, TRIANGLE
from ..proof import Proof
from ..row import SIZES, C, average, b, m, x
from ..steps import Concludes, Fact, Identity, Inequality

_p, _m, _x, _b, _N, _past = sp.symbols("p m x beta N y", real=True)
_kappa, _r, _share, _angle, _tokens = sp.symbols("kappa rho h theta n", positive=True)
_a = sp.symbols("a_1:4", real=True)
_first, _second = sp.symbols("a_1 a_2", real=True)
_z, _w = sp.symbols("z w", real=True)
_unit: Any = sp.Matrix(sp.symbols("v_1 v_2", real=True))

_steep: Any = sp.Max(beta, sp.Rational(1, 2))
_k: Any = (1 + (_steep + 1 / (4 * _steep)) ** 2) / 2
_together: Any = n * _k + 2 * rho * sp.sqrt(2 * _k)
_apart: Any = 2 * rho * (n - 1) * sp.sqrt(_k / n)

VARIANCE = (
    Identity(
        r"$\operatorname{tr} C_i = \sum_j P_{ij} |x_j|^2 - |m_i|^2 \le R^2 - |m_i|^2$.",
        lhs=C.trace() + m.dot(m),
        rhs=average([sp.Matrix([y.dot(y)]) for y in x])[0],
        sizes=SIZES,
    ),
    Fact(
        r"So $c_i \le 1 - |m_i|^2 / R^2 \le 1$.",
        TRACE,
        letters={"S": "$C_i$"},
        because={"positive semidefinite": "an average of squares"},
    ),
)

PROOF = Proof(
    "compact-softmax-few-tokens",
    definitions=(
        *LETTERS,
        r"$c_i = |C_i| / R^2$; $\omega = \max(\beta, 1/2)$ and $\kappa = (1 + (\omega + 1 / (4 \omega))^2) / 2$",
        r"$\alpha_j = |e_j|^2$ in falling order (the tokens are numbered so), $\sum_j \alpha_j = 1$; $h = \alpha_1 + "
        r"\alpha_2$, with $\alpha_2 = 0$ where $n = 1$",
    ),
    steps=(
        *VARIANCE,
        Identity(
            r"A token of weight $p$ in a row, and the others with mean $m'$: $\operatorname{tr} C_i$ is $p (1 - p) "
            r"|x - m'|^2$ and $1 - p$ times the trace of the covariance of the others, which is at most $R^2 - "
            r"|m'|^2$ as above. On the line: the variance of the two means.",
            lhs=_p * _x**2 + (1 - _p) * _m**2 - (_p * _x + (1 - _p) * _m) ** 2,
            rhs=_p * (1 - _p) * (_x - _m) ** 2,
            sizes="one coordinate, every entry a symbol",
        ),
        Inequality(
            r"With $|x| \le R$ and $|m'| = y R$, $0 \le y \le 1$, the trace over $R^2$ is at most $p (1 - p) (1 + "
            r"y)^2 + (1 - p) (1 - y^2)$. Where $p \ge 1/2$ this is at most $4 p (1 - p)$: the difference is $(1 - p) "
            r"(1 - y) ((3 + y) p - (1 + y)) \ge 0$. So $c_i \le 4 p (1 - p)$ where a token has the weight $p \ge 1/2$ "
            r"in row $i$.",
            Claim(
                (1 - _p) * (1 - _past) * ((3 + _past) * _p - (1 + _past)),
                (Segment(_p, Fraction(1, 2), 1), Segment(_past, 0, 1)),
            ),
        ),
        Identity(
            r"Indeed $4 p (1 - p) - p (1 - p) (1 + y)^2 - (1 - p) (1 - y^2) = (1 - p) (1 - y) ((3 + y) p - (1 + y))$.",
            lhs=4 * _p * (1 - _p) - _p * (1 - _p) * (1 + _past) ** 2 - (1 - _p) * (1 - _past**2),
            rhs=(1 - _p) * (1 - _past) * ((3 + _past) * _p - (1 + _past)),
            sizes="every letter a symbol",
        ),
        Identity(
            r"For a unit vector $v$ and $\delta_j = \langle x_j - m_i, v\rangle$: $M_{ij}^\top v = v + \delta_j "
            r"b_i$, and $\sum_j P_{ij} |v + \delta_j b_i|^2 = |v|^2 + |b_i|^2 v^\top C_i v$, for $\sum_j P_{ij} "
            r"\delta_j = 0$.",
            lhs=average([(_unit + (y - m).dot(_unit) * b).T * (_unit + (y - m).dot(_unit) * b) for y in x]),
            rhs=_unit.T * _unit + b.dot(b) * _unit.T * C * _unit,
            sizes=SIZES,
        ),
        Fact(
            r"So $\langle v, \sum_j P_{ij} M_{ij} e_j\rangle \le \sum_j g_j \sqrt{\alpha_j}$ with $g_j = P_{ij} |v + "
            r"\delta_j b_i|$, and $\sum_j P_{ij} |v + \delta_j b_i|^2 \le N = 1 + \beta^2 c_i$, with "
            r"$R |b_i| \le \beta$.",
            CAUCHY_SCHWARZ,
            letters={"x": r"$v + \delta_j b_i$", "y": "$e_j$"},
        ),
        Fact(
            r"With $X = g_1$ and $Y = \sum_{j \ge 2} g_j$, $\sum_j g_j \sqrt{\alpha_j} \le X \sqrt{\alpha_1} + Y "
            r"\sqrt{\alpha_2}$, for $\alpha_j \le \alpha_2$.",
            AVERAGE,
            letters={"q": r"$g_j$ for $j \ge 2$", "t": r"$\sqrt{\alpha_j} \le \sqrt{\alpha_2}$"},
            because={"nonnegative": "norms and weights are not negative"},
        ),
        Fact(
            r"Let $p$ be the weight of token 1 in row $i$, $q = 1 - p$ and $a = |v + \delta_1 b_i|$, so that $X = p "
            r"a$. Then $Y^2 \le q \sum_{j \ge 2} P_{ij} |v + \delta_j b_i|^2 \le q (N - p a^2)$, and $(X + Y)^2 "
            r"\le N$.",
            CAUCHY_SCHWARZ,
            letters={"x": r"the $\sqrt{P_{ij}}$", "y": r"the $\sqrt{P_{ij}}\, |v + \delta_j b_i|$"},
        ),
        Identity(
            r"So $X^2 + Y^2 \le q N + p (p - q) a^2$.",
            lhs=(_p * _x) ** 2 + (1 - _p) * (_N - _p * _x**2),
            rhs=(1 - _p) * _N + _p * (_p - (1 - _p)) * _x**2,
            sizes="every letter a symbol",
        ),
        Identity(
            r"Where $p \ge 1/2$, $N \le 1 + 4 \beta^2 p q$, and $|x_1 - m_i| = q |x_1 - m'| \le 2 q R$ gives $a \le "
            r"1 + 2 \beta q$. With $u = p - q$, in $[0, 1]$, $X^2 + Y^2 \le (1 + (u + \beta (1 - u^2))^2) / 2$.",
            lhs=(1 - _p) * (1 + 4 * _b**2 * _p * (1 - _p)) + _p * (_p - (1 - _p)) * (1 + 2 * _b * (1 - _p)) ** 2,
            rhs=(1 + (2 * _p - 1 + _b * (1 - (2 * _p - 1) ** 2)) ** 2) / 2,
            sizes="every letter a symbol",
        ),
        Identity(
            r"$u + \beta (1 - u^2) \le u + \omega (1 - u^2) = \omega + 1 / (4 \omega) - \omega (u - 1 / (2 "
            r"\omega))^2$; so $X^2 + Y^2 \le \kappa$ where $p \ge 1/2$, and $\kappa \ge (1 + \beta^2) / 2$.",
            lhs=_past + _b * (1 - _past**2),
            rhs=_b + 1 / (4 * _b) - _b * (_past - 1 / (2 * _b)) ** 2,
            sizes="every letter a symbol",
        ),
        Identity(
            r"Where $p < 1/2$ and $Y \le X$, $X^2 + Y^2 \le 2 X^2 = 2 p^2 a^2$ too. The shares $q - p$ and $2 p$ of "
            r"the two bounds are not negative and sum to $1$: $X^2 + Y^2 \le 2 p q N \le N / 2 \le (1 + \beta^2) / 2 "
            r"\le \kappa$, with $c_i \le 1$.",
            lhs=(1 - 2 * _p) * 2 * _p**2 * _x**2 + 2 * _p * ((1 - _p) * _N + _p * (2 * _p - 1) * _x**2),
            rhs=2 * _p * (1 - _p) * _N,
            sizes="every letter a symbol, q - p = 1 - 2 p",
        ),
        Fact(
            r"In these two cases $(X \sqrt{\alpha_1} + Y \sqrt{\alpha_2})^2 \le (X^2 + Y^2) h \le \kappa h$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$(X, Y)$", "y": r"$(\sqrt{\alpha_1}, \sqrt{\alpha_2})$"},
        ),
        Identity(
            r"Where $Y > X$, $X \sqrt{\alpha_1} + Y \sqrt{\alpha_2} \le (X + Y)(\sqrt{\alpha_1} + \sqrt{\alpha_2}) / "
            r"2$, for $\alpha_1 \ge \alpha_2$.",
            lhs=(_z + _w) * (_first + _second) / 2 - (_z * _first + _w * _second),
            rhs=(_w - _z) * (_first - _second) / 2,
            sizes="every letter a symbol",
        ),
        Fact(
            r"Its square is at most $N (\sqrt{\alpha_1} + \sqrt{\alpha_2})^2 / 4 \le N h / 2 \le \kappa h$.",
            CAUCHY_SCHWARZ,
            letters={"x": r"$(\sqrt{\alpha_1}, \sqrt{\alpha_2})$", "y": "$(1, 1)$"},
        ),
        Fact(
            r"So $|\sum_j P_{ij} V M_{ij} e_j|^2 \le \|V\|^2 \kappa h$ in every row (a row that sees nothing is zero).",
            SUBMULTIPLICATIVE,
            letters={"S": "$V$", "T": r"$\sum_j P_{ij} M_{ij} e_j$, the largest of its products with unit vectors $v$"},
        ),
        Fact(
            r"$|V C_i A e_i| \le \|V\| \rho c_i \sqrt{\alpha_i} \le \|V\| \rho \sqrt{\alpha_i}$.",
            SUBMULTIPLICATIVE,
            letters={"S": "$V$, $C_i$ or $A$", "T": "what stands to its right"},
        ),
        Fact(
            r"Together $\|Df(X)[E]\|_F^2 \le \|V\|^2 \sum_i (\rho \sqrt{\alpha_i} + \sqrt{\kappa "
            r"h})^2$.",
            TRIANGLE,
            letters={"S": r"$V C_i A e_i$", "T": r"$\sum_j P_{ij} V M_{ij} e_j$"},
        ),
        Fact(
            r"$\sum_i \sqrt{\alpha_i} \le \sqrt{2 h} + \sqrt{(n - 2) (1 - h)}$ for $n \ge 2$, the two largest and the "
            r"others apart; where $n = 1$ it is $1 \le \sqrt{2 h}$.",
            CAUCHY_SCHWARZ,
            letters={"x": r"the $\sqrt{\alpha_i}$", "y": "ones"},
        ),
        Identity(
            r"$n - 2 = (n - 1)^2 / n - 1/n$; so the second term is at most $(n - 1) \sqrt{(1 - h) / n}$.",
            lhs=_tokens - 2,
            rhs=(_tokens - 1) ** 2 / _tokens - 1 / _tokens,
            sizes="n a symbol",
        ),
        Identity(
            r"Squared out and summed, $\sum_i (\rho \sqrt{\alpha_i} + \sqrt{\kappa h})^2 = \rho^2 + n \kappa h + 2 "
            r"\rho \sqrt{\kappa h} \sum_i \sqrt{\alpha_i}$.",
            lhs=sum(((_r * _a[i] + sp.sqrt(_kappa * _share)) ** 2 for i in range(3)), sp.S.Zero),
            rhs=_r**2 * sum((_a[i] ** 2 for i in range(3)), sp.S.Zero)
            + 3 * _kappa * _share
            + 2 * _r * sp.sqrt(_kappa * _share) * sum(_a, sp.S.Zero),
            sizes="n = 3, the roots of the moves symbols",
        ),
        Identity(
            r"With $h = (1 + \cos\theta) / 2$ the bound is $\rho^2 + U h + W \sqrt{h (1 - h)}$, $U = n \kappa + 2 "
            r"\rho \sqrt{2 \kappa}$ and $W = 2 \rho (n - 1) \sqrt{\kappa / n}$, which is $\rho^2 + U / 2 + (U "
            r"\cos\theta + W \sin\theta) / 2$: $h (1 - h) = \sin^2\theta / 4$.",
            lhs=(1 + sp.cos(_angle)) / 2 * (1 - (1 + sp.cos(_angle)) / 2),
            rhs=sp.sin(_angle) ** 2 / 4,
            sizes="the angle a symbol",
        ),
        Fact(
            r"So $\|Df(X)\|^2 \le \|V\|^2 (\rho^2 + (U + \sqrt{U^2 + W^2}) / 2)$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$(U, W)$", "y": r"$(\cos\theta, \sin\theta)$"},
        ),
        ON_THE_BALL,
        Concludes(
            r"The constant is $\|V\| \sqrt{\rho^2 + (U + \sqrt{U^2 + W^2}) / 2}$.",
            bound=norm_V * sp.sqrt(rho**2 + (_together + sp.sqrt(_together**2 + _apart**2)) / 2),
        ),
    ),
)
