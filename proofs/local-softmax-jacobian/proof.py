"""The Jacobian of each softmax row, whose norm the secular equation bounds, between two copies of the tokens."""

import sympy as sp

from bounds.notation import norm_A, norm_B, norm_P, norm_V, norm_X, softmax_sensitivity

from ..facts import DETERMINANT_LEMMA, FROBENIUS, INTERLACING, MINKOWSKI, SUBMULTIPLICATIVE
from ..proof import Proof
from ..row import SIZES, A, E, X, average, b, changes, e, p, scores, softmax, tokens, x
from ..steps import Concludes, Fact, Identity

_weights = sp.Matrix(p)
_J = sp.diag(*p) - _weights * _weights.T
_change = [(A * e[0]).dot(x[j]) + b.dot(e[j]) for j in tokens]
_mean_change = sum(weight * change for weight, change in zip(p, _change, strict=True))

_p1, _p2 = sp.symbols("p_1 p_2", real=True)
_mu = _p1 * (1 - _p1 + _p2)

PROOF = Proof(
    "local-softmax-jacobian",
    definitions=(
        r"$X$ is the matrix with rows $x_i$, $E$ the change of $X$, $B$ the matrix with rows $b_i = A x_i + a$, and "
        r"$P_i$ row $i$ of the weights, as a column; a masked pair has weight zero",
        r"$J_i = \operatorname{diag}(P_i) - P_i P_i^\top$; $p_{(1)} \ge p_{(2)} \ge \dots$ are the sorted weights of "
        r"a row and $\mu = p_{(1)} (1 - p_{(1)} + p_{(2)})$, whose largest value over the rows is $g(P)$",
    ),
    steps=(
        Identity(
            r"When the scores of a row move by $t$, its weights move by $J_i t$.",
            lhs=softmax.jacobian(scores) * changes,
            rhs=(sp.diag(*softmax) - softmax * softmax.T) * changes,
            sizes="n = 3 scores, each a symbol",
        ),
        Identity(
            r"The scores of row $i$ move by $X A e_i + E b_i$, so $(Df(X)[E])_i = V (\sum_j P_{ij} e_j + X^\top J_i "
            r"(X A e_i + E b_i))$.",
            lhs=average([(_change[j] - _mean_change) * x[j] + e[j] for j in tokens]),
            rhs=average(e) + X.T * _J * (X * A * e[0] + E * b),
            sizes=SIZES,
        ),
        Identity(
            r"$\mu - p_{(2)} = (p_{(1)} - p_{(2)}) (1 - p_{(1)})$ and $p_{(1)} - \mu = p_{(1)} (p_{(1)} - p_{(2)})$, "
            r"so $p_{(2)} \le \mu \le p_{(1)}$. If $p_{(1)} = p_{(2)}$ then $\mu = p_{(1)}$ and $J_i \preceq "
            r"\operatorname{diag}(P_i) \preceq \mu I$; if $p_{(1)} = 1$ then $J_i = 0$. Otherwise both inequalities "
            r"are strict.",
            lhs=sp.Matrix([_mu - _p2, _p1 - _mu]),
            rhs=sp.Matrix([(_p1 - _p2) * (1 - _p1), _p1 * (_p1 - _p2)]),
            sizes="two numbers, each a symbol",
        ),
        Identity(
            r"In that case $\sum_{k \ge 2} p_{(k)}^2 / (\mu - p_{(k)}) \le p_{(2)} (1 - p_{(1)}) / (\mu - p_{(2)})$, "
            r"for the other weights sum to $1 - p_{(1)}$; and $1 + p_{(2)} (1 - p_{(1)}) / (\mu - p_{(2)}) = "
            r"p_{(1)}^2 / (p_{(1)} - \mu)$. So $1 + p^\top D^{-1} p \le 0$ for $D = \mu I - \operatorname{diag}(P_i)$.",
            lhs=1 + _p2 * (1 - _p1) / (_mu - _p2),
            rhs=_p1**2 / (_p1 - _mu),
            sizes="two numbers, each a symbol",
        ),
        Fact(
            r"$D$ has one negative eigenvalue, $\mu - p_{(1)}$, so $\det(\mu I - J_i) = \det D\, (1 + p^\top D^{-1} "
            r"p) \ge 0$.",
            DETERMINANT_LEMMA,
            letters={"D": r"$\mu I - \operatorname{diag}(P_i)$", "p": "$P_i$"},
            because={"invertible": r"$p_{(2)} < \mu < p_{(1)}$"},
        ),
        Fact(
            r"$\mu I - J_i = D + P_i P_i^\top$ has at most one negative eigenvalue, and none if its determinant is "
            r"positive. The same holds for every number slightly above $\mu$, where the determinant is positive, so "
            r"$|J_i| = \lambda_{\max}(J_i) \le \mu \le g(P)$.",
            INTERLACING,
            letters={"D": r"$\mu I - \operatorname{diag}(P_i)$", "p": "$P_i$"},
            because={"symmetric": "it is diagonal"},
        ),
        Fact(
            r"$|X^\top J_i X A e_i| \le \|X\|^2 g(P) \|A\| |e_i|$ and $|X^\top J_i E b_i| \le \|X\| g(P) |E b_i|$.",
            SUBMULTIPLICATIVE,
            letters={"S": "$X^\\top$, $J_i$, $X$ or $A$", "T": "what stands to its right"},
        ),
        Fact(
            r"$\sum_i |E b_i|^2 = \|E B^\top\|_F^2 \le \|E\|_F^2 \|B\|^2$, and the rows $\sum_j P_{ij} e_j$ together "
            r"are $P E$, with $\|P E\|_F \le \|P\| \|E\|_F$.",
            FROBENIUS,
            letters={"S": "$E$, and $P$", "T": r"$B^\top$, and $E$"},
        ),
        Fact(
            r"The root of the sum over the rows is at most the sum of the three roots, each times $\|V\|$.",
            MINKOWSKI,
            letters={"u": r"$\sum_j P_{ij} e_j$", "v": r"$X^\top J_i X A e_i$, and then $X^\top J_i E b_i$"},
        ),
        Concludes(
            r"$\|Df(X)\| \le \|V\| (\|P\| + \|X\| g(P) (\|X\| \|A\| + \|B\|))$.",
            bound=norm_V * (norm_P + norm_X * softmax_sensitivity * (norm_X * norm_A + norm_B)),
        ),
    ),
)
