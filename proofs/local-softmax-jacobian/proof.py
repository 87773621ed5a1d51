"""The Jacobian of each softmax row, whose norm the secular equation bounds, between two copies of the tokens."""

import sympy as sp

from bounds.notation import norm_A, norm_B, norm_P, norm_V, norm_X, softmax_sensitivity

from ..facts import FROBENIUS, MINKOWSKI, SUBMULTIPLICATIVE
from ..proof import Proof
from ..row import SIZES, A, E, X, average, b, changes, e, p, scores, softmax, tokens, x
from ..softmax_row import SECULAR
from ..steps import Concludes, Fact, Identity

_weights = sp.Matrix(p)
_J = sp.diag(*p) - _weights * _weights.T
_change = [(A * e[0]).dot(x[j]) + b.dot(e[j]) for j in tokens]
_mean_change = sum(weight * change for weight, change in zip(p, _change, strict=True))

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
        *SECULAR,
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
