"""Row by row: the own score and the moved tokens together, and the two largest moves apart from the others."""

from fractions import Fraction
from typing import Any

import sympy as sp

from bounds.notation import beta, n, norm_V, rho
from certify.inequality import Claim, HalfLine, Segment

from ..ball import LETTERS, ON_THE_BALL
from ..facts import AVERAGE, BLOCK_ROW, CAUCHY_SCHWARZ, SUBMULTIPLICATIVE, TRACE, TRIANGLE
from ..proof import Proof
from ..row import SIZES, C, M, average, b, m, x
from ..steps import Concludes, Fact, Identity, Inequality

_p, _m, _x, _L, _past = sp.symbols("p m x L y", real=True)
_u, _E = sp.symbols("u E", real=True)
_root, _kappa, _r, _share, _angle, _tokens = sp.symbols("w kappa rho h theta n", positive=True)
_a = sp.symbols("a_1:4", real=True)
_first, _second = sp.symbols("a_1 a_2", real=True)
_z, _w = sp.symbols("z w", real=True)

_largest: Any = sp.Rational(2, 3) + sp.Rational(16, 27) * _L
_root_of_cubic: Any = (4 * _L + 3) ** 3 / _L
_margin: Any = _L * (4 * _L + 3) ** 3 * (3 * _L + 2) ** 2 - ((8 * _L**2 + 10 * _L + 1) * (3 * _L + 2) - 3 * _L**2) ** 2
_s: Any = sp.sqrt(1 + 3 / (4 * _L))

_square = beta**2
_k: Any = (45 + 16 * _square + sp.sqrt((16 * _square - 9) ** 2 + 324 * _square / (3 * _square + 2))) / 54
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
        r"$c_i = |C_i| / R^2$; $L = \beta^2$, $\kappa$ is the larger root of $(\kappa - 1)(\kappa - a) "
        r"= L / (27 (L + 2/3))$ with $a = 2/3 + 16 L / 27$, which is $(45 + 16 L + \sqrt{(16 L - 9)^2 + 324 L / (3 L + "
        r"2)}) / 54$",
        r"$\alpha_j = |e_j|^2$ in falling order (the tokens are numbered so), $\sum_j \alpha_j = 1$; $h = \alpha_1 + "
        r"\alpha_2$, with $\alpha_2 = 0$ where $n = 1$; $\xi_i = \sum_j P_{ij} \alpha_j$",
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
            r"Since $\sum_j P_{ij} (x_j - m_i) = 0$: $\sum_j P_{ij} M_{ij} M_{ij}^\top = I + |b_i|^2 C_i$.",
            lhs=average([factor * factor.T for factor in M]),
            rhs=sp.eye(2) + b.dot(b) * C,
            sizes=SIZES,
        ),
        Fact(
            r"So $|\sum_j P_{ij} V M_{ij} e_j|^2 \le \|V\|^2 (1 + \beta^2 c_i) \xi_i$, with $R |b_i| \le \beta$.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}}\, V M_{ij}$", "e_j": r"$\sqrt{P_{ij}}\, e_j$"},
        ),
        Fact(
            r"$|V C_i A e_i| \le \|V\| \rho c_i \sqrt{\alpha_i} \le \|V\| \rho \sqrt{\alpha_i}$.",
            SUBMULTIPLICATIVE,
            letters={"S": "$V$, $C_i$ or $A$", "T": "what stands to its right"},
        ),
        Fact(
            r"Together $\|Df(X)[E]\|_F^2 \le \|V\|^2 \sum_i (\rho \sqrt{\alpha_i} + \sqrt{(1 + \beta^2 c_i) "
            r"\xi_i})^2$.",
            TRIANGLE,
            letters={"S": r"$V C_i A e_i$", "T": r"$\sum_j P_{ij} V M_{ij} e_j$"},
        ),
        Fact(
            r"With $p$ the weight of token 1 in row $i$, $\xi_i \le p \alpha_1 + (1 - p) \alpha_2 \le \max(p, 1/2)\, "
            r"h$, for $\alpha_2 \le \alpha_1$ (a row that sees nothing is zero).",
            AVERAGE,
            letters={"q": r"$P_{ij}$ for $j \ge 2$", "t": r"$\alpha_j \le \alpha_2$"},
            because={"nonnegative": "weights are not negative"},
        ),
        Inequality(
            r"So $(1 + \beta^2 c_i) \xi_i \le h\, p (1 + 4 L p (1 - p))$ for some $p$ in $[1/2, 1]$. Where $L \le 1/4$ "
            r"this is at most $h$: $1 - p - p^2 (1 - p) \ge 0$. And $\kappa \ge \max(1, a)$, for $\kappa - 1$ and "
            r"$\kappa - a$ have a nonnegative product and the larger sum.",
            Claim(1 - _p - _p**2 * (1 - _p), (Segment(_p, Fraction(1, 2), 1),)),
        ),
        Identity(
            r"Where $L \ge 1/4$ the function $p (1 + 4 L p (1 - p))$ is largest on $[0, 1]$ where its derivative $1 + "
            r"8 L p - 12 L p^2$ vanishes, at $p = (1 + \sqrt{1 + 3/(4L)}) / 3$.",
            lhs=(1 + 8 * _L * _p).subs(_p, (1 + _s) / 3),
            rhs=(12 * _L * _p**2).subs(_p, (1 + _s) / 3),
            sizes="L a symbol",
        ),
        Identity(
            r"Its value there is $S = (9 + 8 L) / 27 + w$ with $w = (4 L + 3)^{3/2} / (27 \sqrt L)$: with $\sigma = "
            r"\sqrt{1 + 3/(4L)}$, that is $w = (8 L + 6) \sigma / 27$.",
            lhs=sp.expand(((1 + _root) / 3) * (1 + 4 * _L * ((1 + _root) / 3) * (1 - (1 + _root) / 3))).subs(
                _L, sp.Rational(3, 4) / (_root**2 - 1)
            ),
            rhs=((9 + 8 * _L + (8 * _L + 6) * _root) / 27).subs(_L, sp.Rational(3, 4) / (_root**2 - 1)),
            sizes="the root a symbol, L = 3 / (4 (root^2 - 1))",
        ),
        Identity(
            r"$(S - 1)(S - a) = w^2 - w + (1/3 + 8L/27)(2/3 - 8L/27)$, and $w^2 = (4 L + 3)^3 / (729 L)$; so $(S - "
            r"1)(S - a) \le L / (27 (L + 2/3))$ means $27 w \ge 8 L + 10 + 1/L - 3 L / (3 L + 2)$.",
            lhs=((9 + 8 * _L) / 27 + _w - 1) * ((9 + 8 * _L) / 27 + _w - _largest)
            - (_w**2 - _root_of_cubic / 729)
            - _L / (27 * (_L + sp.Rational(2, 3))),
            rhs=(8 * _L + 10 + 1 / _L - 3 * _L / (3 * _L + 2)) / 27 - _w,
            sizes="L and w symbols",
        ),
        Identity(
            r"Squared and multiplied by $L^2 (3 L + 2)^2$, with $L = 1/4 + y$, the difference of the two sides is a "
            r"polynomial in $y$ with positive coefficients. So $S \le \kappa$.",
            lhs=_margin.subs(_L, sp.Rational(1, 4) + _past),
            rhs=3 * _past**4
            + 44 * _past**3
            + sp.Rational(695, 8) * _past**2
            + sp.Rational(411, 8) * _past
            + sp.Rational(1047, 256),
            sizes="y a symbol",
        ),
        Inequality(
            r"So $(1 + \beta^2 c_i) \xi_i \le \kappa h$ in every row; where $S < a$ or $S < 1$ there is nothing to "
            r"show, and otherwise $S$ lies between the roots. The right side of the inequality squared is not "
            r"negative: $8 L + 10 - 3 L / (3 L + 2) \ge 0$.",
            Claim(
                (8 * _L + 10) * (3 * _L + 2) - 3 * _L,
                (HalfLine(_L, _u, _E),),
                multiplier=1 / (1 + _L) ** 2,
                form=(8 * _u + 10 * (1 - _u)) * (3 * _u + 2 * (1 - _u)) - 3 * _u * (1 - _u),
            ),
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
