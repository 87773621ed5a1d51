"""For a symmetric positive A, <A m, z - m> is largest at m = z / 2."""

import sympy as sp

from bounds.notation import R, contrast, norm_a, rho

from ..facts import CAUCHY_SCHWARZ
from ..proof import Proof
from ..steps import Cites, Concludes, Fact, Identity

_factor = sp.Matrix(2, 2, lambda i, j: sp.Symbol(f"F_{i + 1}{j + 1}", real=True))
_m: sp.Matrix = sp.Matrix(sp.symbols("m_1:3", real=True))
_z: sp.Matrix = sp.Matrix(sp.symbols("z_1:3", real=True))
_A = _factor.T * _factor
_rest = _factor * (_m - _z / 2)
_contrast = Cites(
    r"So $\chi = \rho / 4 + 2 R \|a\|$ in the bound by the contrast.",
    "compact-contrast",
    {contrast: rho / 4 + 2 * R * norm_a},
)

PROOF = Proof(
    "compact-positive-scores",
    definitions=(
        r"$A = F^\top F$, which every symmetric positive semidefinite matrix is; $|m|, |z| \le R$",
        r"the other letters are those of the bound by the contrast",
    ),
    steps=(
        Identity(
            r"$\langle A m, z - m\rangle = \tfrac14 \langle A z, z\rangle - |F (m - z / 2)|^2$, at most $\tfrac14 R^2 "
            r"\|A\|$.",
            lhs=(_A * _m).dot(_z - _m),
            rhs=(_A * _z).dot(_z) / 4 - _rest.dot(_rest),
            sizes="size 2, every entry a symbol",
        ),
        Fact(
            r"$\langle a, z - m\rangle \le 2 R \|a\|$.",
            CAUCHY_SCHWARZ,
            letters={"x": "$a$", "y": "$z - m$"},
        ),
        _contrast,
        Concludes(
            r"The constant is $\|V\| (\rho + \sqrt{1 + \beta^2} e^{\rho / 8 + R \|a\|})$.", bound=_contrast.bound
        ),
    ),
)
