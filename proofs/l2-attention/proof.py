"""The columns of a row-normalised Gaussian kernel sum to at most the root of n, also when weighted with distances."""

import sympy as sp

from bounds.notation import inverse_root_k, n, norm_WQ, norm_WV

from ..facts import AVERAGE, BLOCK_DIAGONAL, BLOCK_ROW, CAUCHY_SCHWARZ, GAUSSIAN_KERNEL, LARGEST, TRIANGLE
from ..proof import Proof
from ..steps import Concludes, Fact, Identity
from ..tied_distances import BACK_TO_TOKENS, DERIVATIVE, FAR_ON_AVERAGE, LETTERS

_w = sp.LambertW((n - 1) / sp.E)
_root = n ** sp.Rational(1, 4)
_far = sp.log(n) / 2 + sp.exp(-1)
_N = sp.Symbol("n", positive=True)
_s = sp.Symbol("s", positive=True)
_r = sp.symbols("r_1:4", positive=True)
_K = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"K_{min(i, j) + 1}{max(i, j) + 1}", positive=True))

PROOF = Proof(
    "l2-attention",
    definitions=(
        *LETTERS,
        r"$K_{ij} = e^{-|y_i - y_j|^2}$ and $r_i = \sum_j K_{ij}$, so that $P_{ij} = K_{ij} / r_i$; $T = \tfrac12 "
        r"\log n$",
    ),
    steps=(
        *DERIVATIVE,
        *FAR_ON_AVERAGE,
        Fact(
            r"The term $2 C_i e_i$ has at most the norm $2 w$.",
            BLOCK_DIAGONAL,
            letters={"D_i": "$2 C_i$"},
        ),
        Fact(
            r"There are unit vectors $\varphi_i$ with $K_{ij} = \langle \varphi_i, \varphi_j\rangle$.",
            GAUSSIAN_KERNEL,
            letters={"y": "the $y_i$"},
        ),
        Fact(
            r"So a column sum $\sum_i P_{ij} = \langle \varphi_j, \sum_i \varphi_i / r_i\rangle$ is at most the "
            r"length of $\sum_i \varphi_i / r_i$.",
            CAUCHY_SCHWARZ,
            letters={"x": r"$\varphi_j$", "y": r"$\sum_i \varphi_i / r_i$"},
        ),
        Identity(
            r"The square of that length is $\sum_i r_i^{-1} \sum_l K_{il} / r_l$.",
            lhs=sum((_K[i, j] / (_r[i] * _r[j]) for i in range(3) for j in range(3)), sp.S.Zero),
            rhs=sum((sum(_K[i, j] / _r[j] for j in range(3)) / _r[i] for i in range(3)), sp.S.Zero),
            sizes="n = 3, every entry a symbol",
        ),
        Fact(
            r"Since $r_l \ge K_{ll} = 1$ that is at most $\sum_i r_i^{-1} \sum_l K_{il} = n$: no column sum exceeds "
            r"$\sqrt n$.",
            AVERAGE,
            letters={"q": r"$K_{il} / r_i$", "t": "$1 / r_l$, at most one"},
            because={"nonnegative": "a kernel of exponentials"},
        ),
        Fact(
            r"$|\sum_j P_{ij} e_j|^2 \le \sum_j P_{ij} |e_j|^2$; summed over the rows at most $\sqrt n |E|^2$: the "
            r"norm is at most $n^{1/4}$.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}} I$", "e_j": r"$\sqrt{P_{ij}} e_j$"},
        ),
        Fact(
            r"For $s \ge 0$, $s e^{-s} \le e^{-1}$.",
            LARGEST,
            letters={
                "function": "$s e^{-s}$",
                "derivative": "$(1 - s) e^{-s}$, positive before $1$ and negative behind",
            },
        ),
        Identity(
            r"That is the derivative.",
            lhs=sp.diff(_s * sp.exp(-_s), _s),
            rhs=(1 - _s) * sp.exp(-_s),
            sizes="s a symbol",
        ),
        Identity(
            r"With $s = t - T$ for a squared distance $t \ge T$: $(t - T) e^{-t} = e^{-T} s e^{-s} \le n^{-1/2} "
            r"e^{-1}$, for $e^{-T} = n^{-1/2}$.",
            lhs=sp.exp(-sp.log(_N) / 2),
            rhs=1 / sp.sqrt(_N),
            sizes="n a symbol",
        ),
        Fact(
            r"So $P_{ij} t \le T P_{ij} + \max(t - T, 0) e^{-t} / r_i$ gives $\sum_i P_{ij} |y_i - y_j|^2 \le T \sqrt "
            r"n + n \cdot n^{-1/2} e^{-1} = \sqrt n (\tfrac12 \log n + e^{-1})$.",
            AVERAGE,
            letters={"q": "$P_{ij}$, and $1 / r_i$", "t": "$T$, and the excess over it"},
            because={"nonnegative": "weights are not negative, and $r_i \\ge 1$"},
        ),
        Fact(
            r"$|\sum_j P_{ij} (\delta_j - \bar\delta) \langle \delta_j, e_j\rangle|^2 \le w \sum_j P_{ij} |\delta_j|^2 "
            r"|e_j|^2$; summed over the rows at most $w \sqrt n (\tfrac12 \log n + e^{-1}) |E|^2$.",
            CAUCHY_SCHWARZ,
            letters={
                "x": r"$(\sqrt{P_{ij}} |\delta_j - \bar\delta|)_j$",
                "y": r"$(\sqrt{P_{ij}} |\delta_j| |e_j|)_j$",
            },
        ),
        Fact(
            r"The three maps together have at most the sum of their norms; the fact is used twice.",
            TRIANGLE,
            letters={"S": "the first map, and the first two", "T": "the second, and the third"},
        ),
        *BACK_TO_TOKENS,
        Concludes(
            r"The constant is $\|W_V\| \|W_Q\|^2 k^{-1/2} (2 w + n^{1/4} (1 + 2 \sqrt{w (\tfrac12 \log n + "
            r"e^{-1})}))$.",
            bound=norm_WV * norm_WQ**2 * inverse_root_k * (2 * _w + _root + 2 * _root * sp.sqrt(_w * _far)),
        ),
    ),
)
