"""Tokens divided by a root mean square, with and without their mean: the Jacobian that several proofs share."""

from typing import Any

import sympy as sp

from .facts import BLOCK_DIAGONAL, LOEWNER, SUBMULTIPLICATIVE
from .steps import Fact, Identity, Step

SIZES = "d = 3, every entry a symbol"
_x: Any = sp.Matrix(sp.symbols("x_1:4", real=True))
_gamma: Any = sp.diag(*sp.symbols("gamma_1:4", real=True))
_eps = sp.Symbol("epsilon", positive=True)
_sigma = sp.Symbol("sigma", positive=True)
MEANLESS: Any = sp.eye(3) - sp.ones(3, 3) / 3


def jacobian(Pi: Any) -> Identity:
    """The derivative of Gamma z / sigma with z = Pi x, times sigma^3 so that no root is left."""
    z = Pi * _x
    square = z.dot(z) / 3 + _eps
    derivative = (_gamma * z / sp.sqrt(square)).jacobian(_x)
    closed = _gamma * (Pi / sp.sqrt(square) - z * z.T / (3 * square ** sp.Rational(3, 2)))
    return Identity(
        r"One token goes to $\Gamma z / \sigma$ plus a constant; its derivative is $\sigma^{-1} \Gamma (\Pi - z z^\top "
        r"/ (d \sigma^2))$.",
        lhs=derivative,
        rhs=closed,
        sizes=SIZES,
    )


def steps(Pi: Any) -> tuple[Step, ...]:
    """From the map to its Jacobian's norm at given tokens, at most |gamma|_inf over the least sigma."""
    return (
        jacobian(Pi),
        Identity(
            r"$\Pi$ is a symmetric projection.",
            lhs=sp.Matrix([Pi * Pi, Pi.T]),
            rhs=sp.Matrix([Pi, Pi]),
            sizes="d = 3",
        ),
        Fact(
            r"$z z^\top \preceq |z|^2 \Pi$ for $z = \Pi z$, and $|z|^2 \le d \sigma^2$; so $0 \preceq \Pi - z z^\top / "
            r"(d \sigma^2) \preceq \Pi \preceq I$, and the norm of this matrix is at most one.",
            LOEWNER,
            letters={"S": r"$\Pi - z z^\top / (d \sigma^2)$", "T": "$I$"},
            because={"ordered": r"$\sigma^2$ is $|z|^2 / d$ and a number that is not negative"},
        ),
        Fact(
            r"So the derivative of one token has at most the norm $\|\gamma\|_\infty / \sigma$.",
            SUBMULTIPLICATIVE,
            letters={"S": r"$\Gamma / \sigma$", "T": r"$\Pi - z z^\top / (d \sigma^2)$"},
        ),
        Fact(
            r"Each token moves its own output only.",
            BLOCK_DIAGONAL,
            letters={"D_i": "the derivative of token $i$"},
        ),
    )


def letters(Pi: str, deviation: str) -> tuple[str, ...]:
    """What the letters mean, with the words for Pi and for sigma squared."""
    return (
        rf"$\Pi$ is {Pi}, $z = \Pi x$, $\Gamma = \operatorname{{diag}}(\gamma)$ and $\sigma^2 = |z|^2 / d + "
        rf"\varepsilon$: {deviation} and $\varepsilon$",
    )
