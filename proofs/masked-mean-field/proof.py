"""The causal bound with several tokens at one time: a weighted Hardy inequality in place of the plain one."""

import sympy as sp

from bounds.notation import beta, norm_V, rho

from ..ball import COVARIANCES, LETTERS
from ..facts import AVERAGE, CONTINUITY, DENSITY, MEAN_VALUE, MINKOWSKI, WEIGHTED_HARDY
from ..prefix import PREFIX_WEIGHTS
from ..proof import Proof
from ..steps import Concludes, Fact

PROOF = Proof(
    "masked-mean-field",
    definitions=(
        *LETTERS,
        r"$n$ tokens at times $1, 2, \dots$, with $\lambda_g$ tokens at time $g$ and $\Lambda_g$ at times up to $g$; "
        r"token $i$ at time $g$ sees those $\Lambda_g$, which are its row's tokens, $\Lambda_g$ in place of $i$ below",
        r"$t_g$ is the average of $|e_j|$ over the tokens at time $g$",
    ),
    steps=(
        *COVARIANCES,
        *PREFIX_WEIGHTS,
        Fact(
            r"Over the $\lambda_g$ equal rows of each time: $\sum_g \lambda_g (\Lambda_g^{-1} \sum_{f \le g} \lambda_f "
            r"t_f)^2 \le 4 \sum_g \lambda_g t_g^2$.",
            WEIGHTED_HARDY,
            letters={r"\lambda": r"$\lambda_g$, without the times that have no token", "t": "$t_g$"},
            because={"nonnegative": "a norm is not negative"},
        ),
        Fact(
            r"$t_g^2$ is at most the average of $|e_j|^2$ at time $g$; so that is at most $4 \|E\|_F^2$.",
            AVERAGE,
            letters={"q": "equal weights", "t": "$(|e_j| - t_g)^2$, whose average is not negative"},
            because={"nonnegative": "equal weights are positive"},
        ),
        Fact(
            r"With the terms $|V C_i A e_i| \le \|V\| \rho |e_i|$, the Jacobian's norm is at most $\|V\| \rho + 2 "
            r"\|V\| (1 + 2\beta) e^{2\beta}$.",
            MINKOWSKI,
            letters={"u": r"$V C_i A e_i$", "v": "the sum over $j$"},
        ),
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant on the ball, for every number of tokens and all "
            r"$\lambda_g$.",
            MEAN_VALUE,
            letters={
                "f": "the head",
                "K": r"$\{X : |x_i| \le R \text{ for all } i\}$",
                "L": "the bound of the step before",
            },
            because={"convex": "a product of balls", "differentiable": "softmax is smooth, and the rest is linear"},
        ),
        Fact(
            r"Uniform measures on $n$ pairs of time and token are such tokens; with optimal permutations within each "
            r"time $\|X - Y\|_F = \sqrt n\, d_2(\mu, \nu)$, and $d_2$ of the images is at most that of the images of "
            r"the tokens.",
            DENSITY,
            letters={"points": "the tokens of one time, whose order does not matter"},
            because={"compact": "a closed ball"},
        ),
        Fact(
            r"Other pairs of measures with one law of the times are approached by such, with the conditional laws of "
            r"close times put together, and the map is continuous along them.",
            CONTINUITY,
            letters={"set": "pairs of uniform measures with equal numbers of tokens at each time"},
            because={
                "dense": r"the conditional laws are measurable in the time: by Lusin's theorem nearly constant on "
                "small sets of times, which are finitely many up to a small part of the law of the times"
            },
        ),
        Concludes(
            r"The constant is $\|V\| (\rho + 2 (1 + 2\beta) e^{2\beta})$.",
            bound=norm_V * rho + 2 * norm_V * (1 + 2 * beta) * sp.exp(2 * beta),
        ),
    ),
)
