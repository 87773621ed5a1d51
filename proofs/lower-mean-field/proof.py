"""The lower bound by the contrast, on the line of one eigenvector."""

import sympy as sp

from bounds.notation import R, attained_contrast, gamma_real, norm_Vu, norm_Vz

from ..proof import Proof
from ..steps import Cites, Concludes, Identity

_lam = sp.Symbol("lambda", real=True)
_R = sp.Symbol("R", positive=True)
_line = Cites(
    r"So $t = 2 R^2 \gamma$ and $\hat z = \pm u$ in the lower bound by the contrast.",
    "lower-contrast",
    {attained_contrast: 2 * R**2 * gamma_real, norm_Vz: norm_Vu},
)

PROOF = Proof(
    "lower-mean-field",
    definitions=(
        r"$A u = \lambda u$ with a unit vector $u$ and $a = 0$; the letters are those of the lower bound by the "
        r"contrast",
    ),
    steps=(
        Identity(
            r"For $\lambda \le 0$ take $z = R u$ and $m = -R u$: $\langle A m, z - m\rangle = 2 R^2 \gamma$ with "
            r"$\gamma = -\lambda$.",
            lhs=_lam * (-_R) * (_R - (-_R)),
            rhs=2 * _R**2 * (-_lam),
            sizes="every letter a symbol",
        ),
        Identity(
            r"For $\lambda \ge 0$ take $z = R u$ and $m = R u / 2$: $\langle A m, z - m\rangle = 2 R^2 \gamma$ with "
            r"$\gamma = \lambda / 8$.",
            lhs=_lam * (_R / 2) * (_R - _R / 2),
            rhs=2 * _R**2 * _lam / 8,
            sizes="every letter a symbol",
        ),
        _line,
        Concludes(r"It is $\tfrac12 |V u| (1 + R^2 \gamma) e^{R^2 \gamma}$.", bound=_line.bound),
    ),
)
