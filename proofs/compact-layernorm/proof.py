"""The local bound on the ellipsoid of everything that a LayerNorm can produce."""

from typing import Any

import sympy as sp

from bounds.notation import (
    covariance_term,
    d,
    n,
    norm_AG,
    norm_c,
    norm_GA,
    norm_GAG,
    norm_Gc,
    norm_V,
    norm_VG,
    weighted_column,
)

from ..facts import CAUCHY_SCHWARZ, MEAN_VALUE, SUBMULTIPLICATIVE, TRACE
from ..proof import Proof
from ..row import SIZES, C, average, m, x
from ..steps import Cites, Concludes, Fact, Identity
from ..weight import WEIGHTS, largest_weight

_gamma = sp.diag(*sp.symbols("gamma_1:3", real=True))
_shift = sp.Matrix(sp.symbols("beta_1:3", real=True))
_y = [_gamma * z + _shift for z in x]
_mean = average(_y)

_z: Any = sp.Matrix(sp.symbols("z_1:4", real=True))  # an input of a LayerNorm of width three
_eps = sp.Symbol("epsilon", positive=True)
_centred = _z - sp.ones(3, 1) * sum(_z) / 3
_variance = _centred.dot(_centred) / 3
_normal = _centred / sp.sqrt(_variance + _eps)

_spread = 2 * sp.sqrt(d) * (sp.sqrt(d) * norm_GAG + norm_Gc)
_gradient = sp.sqrt(d) * norm_AG + norm_c
_row = norm_V**2 + _gradient**2 * d * norm_VG**2
_local = Cites(
    r"So $\kappa \le d \|V\Gamma\Pi\| \|\Pi\Gamma A\|$ and $\sigma_P \le n w (\|V\|^2 + d |b|^2 \|V\Gamma\Pi\|^2)$ in "
    r"the local bound by covariances, at every point of the set.",
    "local-covariance",
    {covariance_term: d * norm_VG * norm_GA, weighted_column: n * largest_weight(n, _spread) * _row},
)

PROOF = Proof(
    "compact-layernorm",
    definitions=(
        r"tokens are $x = \Gamma z + \beta$ with $|z| \le \sqrt d$ and $1^\top z = 0$, that is $z = \Pi z$; here "
        r"$\beta$ is the bias of the LayerNorm",
        r"$s = \sqrt d\, (\sqrt d\, \|\Pi\Gamma A \Gamma\Pi\| + \|\Pi\Gamma(A\beta + a)\|)$, $|b|$ stands for $\sqrt "
        r"d\, \|A\Gamma\Pi\| + \|A\beta + a\|$, and $w = 1 / (1 + (n - 1) e^{-2s})$",
        r"$C^z_i$ is the covariance of the $z_j$ under row $i$ of the weights; the other letters are those of the "
        r"local bound by covariances",
    ),
    steps=(
        Identity(
            r"What a LayerNorm makes before $\Gamma$ and $\beta$ sums to zero, and its square is $d\, v / (v + "
            r"\epsilon) \le d$ for the variance $v \ge 0$ of its input: it lies in the set.",
            lhs=sp.Matrix([sum(_normal), _normal.dot(_normal)]),
            rhs=sp.Matrix([0, 3 * _variance / (_variance + _eps)]),
            sizes="d = 3, every entry a symbol",
        ),
        Identity(
            r"The bias cancels and the weight comes out: $C_i = \Gamma C^z_i \Gamma$, with $C^z_i = \Pi C^z_i \Pi$.",
            lhs=average([(y - _mean) * (y - _mean).T for y in _y]),
            rhs=_gamma * C * _gamma,
            sizes=SIZES,
        ),
        Identity(
            r"$C^z_i + m^z_i (m^z_i)^\top = \sum_j P_{ij} z_j z_j^\top$.",
            lhs=C + m * m.T,
            rhs=average([z * z.T for z in x]),
            sizes=SIZES,
        ),
        Fact(
            r"So $|C^z_i| \le \sum_j P_{ij} |z_j|^2 \le d$.",
            TRACE,
            letters={"S": r"$\sum_j P_{ij} z_j z_j^\top$, which is at least $C^z_i$"},
            because={"positive semidefinite": "weights are not negative"},
        ),
        Fact(
            r"$b_i = A \Gamma \Pi z_i + A\beta + a$ has $|b_i| \le |b|$; further $\|V C_i A\| = \|V \Gamma\Pi C^z_i "
            r"\Pi\Gamma A\| \le d \|V\Gamma\Pi\| \|\Pi\Gamma A\|$ and $\lambda_i \le \|V\|^2 + |b|^2 d "
            r"\|V\Gamma\Pi\|^2$.",
            SUBMULTIPLICATIVE,
            letters={"S": r"$A\Gamma\Pi$, $V\Gamma\Pi$ or $C^z_i$", "T": "what stands to its right"},
        ),
        Fact(
            r"Two scores of a row differ by $\langle \Pi\Gamma b_i, z_j - z_l\rangle$, at most $2\sqrt d\, |\Pi\Gamma "
            r"b_i| \le 2s$; what the tokens share, $\langle b_i, \beta\rangle$, drops out.",
            CAUCHY_SCHWARZ,
            letters={"x": r"$\Pi\Gamma b_i$", "y": "$z_j - z_l$"},
        ),
        *WEIGHTS,
        _local,
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant on the set.",
            MEAN_VALUE,
            letters={
                "f": "the head",
                "K": "all inputs whose tokens lie in the set",
                "L": "the bound of the step before",
            },
            because={
                "convex": "a product of images of a ball in a subspace under affine maps",
                "differentiable": "softmax is smooth, and the rest is linear",
            },
        ),
        Concludes(
            r"The constant is $d \|V\Gamma\Pi\| \|\Pi\Gamma A\| + \sqrt{\|V\|^2 + d |b|^2 \|V\Gamma\Pi\|^2} \sqrt{n "
            r"w}$.",
            bound=_local.bound,
        ),
    ),
)
