"""L2 attention with tied queries and keys: the derivative, and how far a row can look on average."""

import sympy as sp

from .facts import AVERAGE, CHAIN_RULE, LARGEST, MEAN_VALUE
from .moving_row import CENTRED, WEIGHTS_MOVE
from .row import SIZES, C, average, e, p, tokens, x
from .steps import Fact, Identity, Step

_u, _t, _w, _N = sp.symbols("u t w n", positive=True)
_delta = [x[j] - x[0] for j in tokens]
_mean_delta = average(_delta)
_changes = [-2 * _delta[j].dot(e[j] - e[0]) for j in tokens]
_mean_change = sum(weight * change for weight, change in zip(p, _changes, strict=True))

LETTERS = (
    r"$y_i = k^{-1/4} W_Q x_i$, so that the scores are $-|y_i - y_j|^2$ and the output is $k^{-1/4} W_V W_Q^\top "
    r"\sum_j P_{ij} y_j$",
    r"$\delta_j = y_j - y_i$ in row $i$, with the average $\bar\delta = \sum_j P_{ij} \delta_j$ and the covariance "
    r"$C_i$",
    r"$w$ is the solution of $w e^{w+1} = n - 1$",
)

DERIVATIVE: tuple[Step, ...] = (
    WEIGHTS_MOVE,
    CENTRED,
    Identity(
        r"A score moves by $t_j = -2 \langle \delta_j, e_j - e_i\rangle$, and the average by $\sum_j P_{ij} (t_j - "
        r"\sum_l P_{il} t_l) y_j + \sum_j P_{ij} e_j = 2 C_i e_i + \sum_j P_{ij} e_j - 2 \sum_j P_{ij} (\delta_j - "
        r"\bar\delta) \langle \delta_j, e_j\rangle$.",
        lhs=average([(_changes[j] - _mean_change) * x[j] + e[j] for j in tokens]),
        rhs=2 * C * e[0] + average([e[j] - 2 * (_delta[j] - _mean_delta) * _delta[j].dot(e[j]) for j in tokens]),
        sizes=SIZES,
    ),
)

FAR_ON_AVERAGE: tuple[Step, ...] = (
    Fact(
        r"For every real $u$, $(u + 1) e^{-u} \le 1$.",
        LARGEST,
        letters={"function": "$(u + 1) e^{-u}$", "derivative": "$-u e^{-u}$, positive before $0$ and negative behind"},
    ),
    Identity(
        r"That is the derivative.",
        lhs=sp.diff((_u + 1) * sp.exp(-_u), _u),
        rhs=-_u * sp.exp(-_u),
        sizes="u a symbol",
    ),
    Identity(
        r"With $u = t - w - 1$: $(t - w) e^{-t} \le e^{-w-1}$ for every $t$.",
        lhs=((_u + 1) * sp.exp(-_u)).subs(_u, _t - _w - 1) * sp.exp(-_w - 1),
        rhs=(_t - _w) * sp.exp(-_t),
        sizes="t, w symbols",
    ),
    Identity(
        r"With $t_j = |\delta_j|^2$, summed over the $n - 1$ other tokens: $\sum_j (t_j - w) e^{-t_j} \le (n - 1) "
        r"e^{-w-1} = w$.",
        lhs=((_N - 1) * sp.exp(-_w - 1)).subs(_N, 1 + _w * sp.exp(_w + 1)),
        rhs=_w,
        sizes="w a symbol",
    ),
    Fact(
        r"So $\sum_j t_j e^{-t_j} \le w (1 + \sum_j e^{-t_j})$, which is $\sum_j P_{ij} |\delta_j|^2 \le w$. The "
        r"trace of $C_i$ is at most that, and so are its norm and $\sum_j P_{ij} |\delta_j - \bar\delta|^2$.",
        AVERAGE,
        letters={"q": "$P_{ij}$", "t": r"$|\delta_j|^2$ less $w$, whose average is not positive"},
        because={"nonnegative": "weights are not negative"},
    ),
)

BACK_TO_TOKENS: tuple[Step, ...] = (
    Fact(
        r"From $x$ to $y$ and from the averages to the outputs the norms are $k^{-1/4} \|W_Q\|$ and at most $k^{-1/4} "
        r"\|W_V\| \|W_Q\|$.",
        CHAIN_RULE,
        letters={"f": "the map of averages", "g": "the linear maps before and behind"},
    ),
    Fact(
        r"The bound of the Jacobian is a Lipschitz constant.",
        MEAN_VALUE,
        letters={"f": "the map", "K": "all inputs", "L": "the bound of the steps before"},
        because={"convex": "the whole space", "differentiable": "softmax and polynomials are smooth"},
    ),
)
