"""Every symbol once: how it prints, what it means, and the least value it can take.

Symbols are declared real and nothing more. Declared positive, n >= 1 would *be* true for SymPy and disappear from a
hypothesis; domains are data here and are proved at evaluation.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import sympy as sp

from .errors import UnknownSymbol

LetterLike = sp.Symbol | sp.IndexedBase


@dataclass(frozen=True)
class Entry:
    """One line of the notation: LaTeX, meaning, least value."""

    latex: str
    meaning: str
    least: int


NOTATION: dict[LetterLike, Entry] = {}


def _symbol(name: str, latex: str, meaning: str, least: int = 0) -> sp.Symbol:
    symbol = sp.Symbol(name, real=True)
    NOTATION[symbol] = Entry(latex, meaning, least)
    return symbol


n = _symbol("n", r"n", "number of tokens", least=1)
d = _symbol("d", r"d", "size of a token", least=1)
R = _symbol("R", r"R", r"radius: every token has $|x_i| \le R$")

norm_A = _symbol("norm_A", r"\|A\|", r"spectral norm of $A = K^\top Q / \sqrt{k}$")
norm_a = _symbol("norm_a", r"\|a\|", r"norm of the query bias seen by the keys, $a = K^\top b_Q / \sqrt{k}$")
norm_V = _symbol("norm_V", r"\|V\|", "spectral norm of the value map")
norm_WO = _symbol("norm_WO", r"\|W_O\|", "spectral norm of the output projection")

norm_P = _symbol("norm_P", r"\|P\|", "spectral norm of the matrix of attention weights")
norm_X = _symbol("norm_X", r"\|X\|", r"spectral norm of the matrix with the tokens $x_i$ as rows")
norm_B = _symbol("norm_B", r"\|B\|", r"spectral norm of the matrix with rows $b_i = A x_i + a$")
softmax_sensitivity = _symbol(
    "softmax_sensitivity", r"g(P)", r"$\max_i p_{(1)} (1 - p_{(1)} + p_{(2)})$ over the two largest weights of row $i$"
)
covariance_term = _symbol("covariance_term", r"\kappa", r"$\max_i \|V C_i A\|$, $C_i$ the covariance of row $i$")
weighted_column = _symbol(
    "weighted_column",
    r"\sigma_P",
    r"$\max_j \sum_i P_{ij} \lambda_{\max}(V (I + |b_i|^2 C_i) V^\top)$, or a larger number",
)
schur_column = _symbol(
    "schur_column",
    r"\sigma_w",
    r"$\max_j \sum_i w_{ij} \lambda_{\max}(\sum_l B_{il} B_{il}^\top / w_{il})$ over the blocks $B_{ij}$ of the "
    r"Jacobian for some positive weights $w$, or a larger number",
)

deflated_norm = _symbol(
    "deflated_norm",
    r"\theta",
    r"$\max(t + s c, g + c / s)$ for some $s > 0$, or a larger number: $t$, $g$ and $c$ are the norms of $G$ on the "
    r"span of $U$, on its complement and from one to the other",
)
distance = _symbol("distance", r"\varepsilon", r"distance of $M$ from the Jacobian in the spectral norm")

level = _symbol("level", r"\ell", "the level: what the Jacobian is divided by, any positive number")
growth = _symbol(
    "growth",
    r"\gamma",
    r"$|W_k| / (c - \sum_j |F_j|\, U_{k-1-j}(s_0) / T_k(s_0))$ with a positive denominator, for some $s_0 \ge 1$ with "
    r"$T_k(s_0) \le 1 + \gamma$, or a larger number",
)
inverse_degree = _symbol(
    "inverse_degree", r"\tau", r"$1/k$, one over the number of products with the Jacobian, or more"
)

softmax_root = _symbol(
    "softmax_root",
    r"t",
    r"root of $1 + \sum_k p_k^2 / (t - p_k) = 0$ between the two largest weights (or both, if they are equal), or a "
    "larger number",
)
norm_VG = _symbol("norm_VG", r"\|V\Gamma\Pi\|", "spectral norm of the value map behind the LayerNorm")
norm_GA = _symbol(
    "norm_GA", r"\|\Pi\Gamma A\|", "spectral norm of the score map behind the LayerNorm, on the side of the keys"
)
norm_AG = _symbol(
    "norm_AG", r"\|A\Gamma\Pi\|", "spectral norm of the score map behind the LayerNorm, on the side of the queries"
)
norm_GAG = _symbol(
    "norm_GAG", r"\|\Pi\Gamma A\Gamma\Pi\|", "spectral norm of the score map behind the LayerNorm, on both sides"
)
norm_c = _symbol("norm_c", r"\|A\beta+a\|", "norm of what every score gradient contains, whatever the token")
norm_Gc = _symbol("norm_Gc", r"\|\Pi\Gamma(A\beta+a)\|", "the same behind the LayerNorm")

gamma_max = _symbol("gamma_max", r"\|\gamma\|_\infty", "largest absolute weight of the normalization")
centering = _symbol("centering", r"d / (d - 1)", "factor of CenterNorm, for tokens of size $d > 1$", least=1)
inverse_deviation = _symbol(
    "inverse_deviation", r"\sigma^{-1}", r"$\max_i (v_i + \varepsilon)^{-1/2}$ over what the tokens are divided by"
)
inverse_root_eps = _symbol("inverse_root_eps", r"\varepsilon^{-1/2}", r"one over the root of $\varepsilon > 0$")
slope = _symbol("slope", r"\ell", "Lipschitz constant of the activation")
turning = _symbol("turning", r"y", r"any number with $y \tanh y \ge 1$", least=1)
norm_W = _symbol("norm_W", r"\|W\|", "spectral norm of the linear map")
norm_W1 = _symbol("norm_W1", r"\|W_1\|", "spectral norm of the first linear map")
norm_W2 = _symbol("norm_W2", r"\|W_2\|", "spectral norm of the second linear map")
norm_Wg = _symbol("norm_Wg", r"\|W_g\|", "spectral norm of the map before the gate's activation")
norm_Wu = _symbol("norm_Wu", r"\|W_u\|", "spectral norm of the gated map")
norm_Wd = _symbol("norm_Wd", r"\|W_d\|", "spectral norm of the map behind the gate")
branch = _symbol("branch", r"L_g", "Lipschitz constant of the branch")

tau = _symbol("tau", r"\tau", "factor of the cosines in the scores")
nu = _symbol("nu", r"\nu", "factor of the normalized values")
norm_WQ = _symbol("norm_WQ", r"\|W_Q\|", "spectral norm of the query map")
norm_WK = _symbol("norm_WK", r"\|W_K\|", "spectral norm of the key map")
norm_WV = _symbol("norm_WV", r"\|W_V\|", "spectral norm of the value map")
inverse_root_k = _symbol("inverse_root_k", r"k^{-1/2}", "one over the root of the size $k$ of a query")
row_sum_WQ = _symbol("row_sum_WQ", r"\|W_Q\|_\infty", "largest row sum of absolute values of the query map")
column_sum_WQ = _symbol("column_sum_WQ", r"\|W_Q\|_1", "largest column sum of absolute values of the query map")
row_sum_WV = _symbol("row_sum_WV", r"\|W_V\|_\infty", "largest row sum of absolute values of the value map")
norm_KQ = _symbol(
    "norm_KQ", r"\frac{\|K\| \|Q\|}{\sqrt{k}}", "product of the norms of key and query map, over the root of k"
)
R_keys = _symbol("R_keys", r"S", r"radius of the keys' tokens: every one has $|y_j| \le S$")
bias_spread = _symbol(
    "bias_spread", r"\Delta", r"by how much the constants $c_{ij}$ of one row differ at most, among the tokens it sees"
)
inverse_fewest = _symbol("inverse_fewest", r"w^{-1}", "one over the least number $w$ of tokens that a row sees")
most = _symbol("most", r"u", "largest number of rows that see one token", least=1)
diameter = _symbol("diameter", r"D", r"$\max_{jl} |x_j - x_l|$")
largest_b = _symbol("largest_b", r"B", r"$\max_i |b_i|$ for the score gradients $b_i = A x_i + a$")
leak = _symbol("leak", r"\varepsilon", "largest weight that a row leaves to all tokens but its own choice")
followers = _symbol("followers", r"f", "largest number of rows that choose the same token", least=1)
row_term = _symbol(
    "row_term",
    r"\lambda",
    r"$\max_i \lambda_{\max}(V (I + |b_i|^2 C_i) V^\top)$, or a larger number",
)
contrast = _symbol(
    "contrast",
    r"\chi",
    r"$\max \langle A m + a, z - m\rangle$ over all $m$ and $z$ with $|m|, |z| \le R$, or a larger number",
)
attained_contrast = _symbol(
    "attained_contrast",
    r"t",
    r"$\langle A m + a, z - m\rangle$, not negative, for some $m \ne z$ with $|m|, |z| \le R$",
)
norm_Vz = _symbol("norm_Vz", r"|V \hat z|", r"what the value map does to the unit vector $\hat z$ along $z - m$")
gamma_real = _symbol(
    "gamma_real",
    r"\gamma",
    r"$-\lambda$ for a real eigenvalue $\lambda \le 0$ of $A$ with a unit eigenvector $u$, or $\lambda / 8$ for one "
    r"$\lambda \ge 0$",
)
norm_Vu = _symbol("norm_Vu", r"|V u|", "what the value map does to that eigenvector")
cluster = _symbol("cluster", r"k", r"number of tokens moved together, an integer below $n$", least=1)

H = _symbol("H", r"H", "number of heads", least=1)
h = sp.Symbol("h", integer=True)  # a bound index of sums over heads, never a value
i = sp.Symbol("i", integer=True)  # the same for sums over tokens
L: Any = sp.IndexedBase("L", real=True)  # typed Any: SymPy's own types do not know that L[h] is an expression
NOTATION[L] = Entry(r"L", r"$L_h$ is a bound for head $h$", 0)

rho = R**2 * norm_A  # without query bias every score lies in [-rho, rho]
beta = R * (R * norm_A + norm_a)  # every score lies in [-beta, beta]


_BY_NAME = {str(symbol): symbol for symbol in NOTATION}


def by_name(name: str) -> LetterLike:
    """The symbol of that name.

    Raises UnknownSymbol, naming the nearest names, for a name that the notation does not have.
    """
    if name not in _BY_NAME:
        near = get_close_matches(name, _BY_NAME, n=3) or sorted(_BY_NAME)
        raise UnknownSymbol(f"no symbol {name!r} in the notation: did you mean {', '.join(near)}?")
    return _BY_NAME[name]
