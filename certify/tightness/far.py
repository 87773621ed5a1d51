"""Large scores and very many tokens together, rho >= 12 and n >= 10^9, where no cell is needed: three scalar claims.

One token moves against the rest, or k of them, in the family of two places with gap t <= 2 rho and p = 1 / (1 + odds
e^(-t)). The rows at the rest alone give, with the moves along u, L / rho >= sqrt(odds) (2 p (1 - p) + p cos / rho).

- n - 1 <= e^(2 rho): t = log(n - 1) makes p = 1/2, so L / rho >= sqrt(n - 1) / 2. The form for few tokens over
  rho sqrt(n) is sqrt(w + (U + sqrt(U^2 + W^2)) / 2) with w = 1 / n, K = kappa / rho^2, U = K + 2 w sqrt(2 K) and
  W = 2 (1 - w) sqrt(K w).
- e^(2 rho) < n - 1: t = 2 rho and y = odds e^(-2 rho) make p (1 - p) = y / (1 + y)^2 and L / (rho e^rho) at least
  2 y^(3/2) / (1 + y)^2. With one token and n - 1 <= 2 e^(2 rho), 1 < y <= 2, and the compact bound over rho e^rho is
  e^(-rho) + sqrt((1 + 1 / rho^2) (y + e^(-2 rho)) / (1 + y)).
- 2 e^(2 rho) < n - 1: k is the integer part of n e^(-2 rho) / 2, so 2 - e^(-2 rho) <= y <= 4, and the form for many
  tokens over rho e^rho is sqrt(16/27 + 3 / (5 rho) + 1 / rho^2).
"""

from fractions import Fraction
from typing import Any

import sympy as sp

from ..inequality import Claim, Proved, Segment, decide

LEAST_RHO, LEAST_COUNT = Fraction(12), 10**9

v, w, y, small = sp.symbols("v w y small", real=True)  # 1 / rho, 1 / n, the odds over e^(2 rho), and e^(-rho)

_kappa: Any = (v**2 + (1 + v**2 / 4) ** 2) / 2
_together: Any = _kappa + 2 * w * sp.sqrt(2 * _kappa)
_apart: Any = 2 * (1 - w) * sp.sqrt(_kappa * w)
FEW: Any = sp.sqrt(w + (_together + sp.sqrt(_together**2 + _apart**2)) / 2)
COMPACT: Any = small + sp.sqrt((1 + v**2) * (y + small**2) / (1 + y))
MANY: Any = sp.sqrt(sp.Rational(16, 27) + sp.Rational(3, 5) * v + v**2)

ONE_AT_HALF: Any = sp.sqrt(1 - w) / 2
SOME_AT_ODDS: Any = 2 * y * sp.sqrt(y) / (1 + y) ** 2

_V = Segment(v, 0, 1 / LEAST_RHO)
_W = Segment(w, 0, Fraction(1, LEAST_COUNT))
_SMALL = Segment(small, 0, Fraction(1, 160_000))  # exp(-12) is less


def far_claims(target: Fraction) -> tuple[Claim, ...]:
    """That target times the lower bound is at least the upper one, in each of the three cases."""
    ratio = sp.Rational(target.numerator, target.denominator)
    return (
        Claim(ratio * ONE_AT_HALF - FEW, (_V, _W)),
        Claim(ratio * SOME_AT_ODDS - COMPACT, (Segment(y, 1, 2), _V, _SMALL)),
        Claim(ratio * SOME_AT_ODDS - MANY, (Segment(y, Fraction(199, 100), 4), _V)),
    )


def far_is_proved(target: Fraction) -> bool:
    """Whether the least closed form is within `target` of L(n, rho) for all rho >= 12 and all n >= 10^9."""
    return all(isinstance(decide(claim), Proved) for claim in far_claims(target))
