"""A row whose scores move by t_j = <g_j, its own change> + <h_j, e_j>, with another h_j for each key."""

from typing import Any

import sympy as sp

from .facts import AVERAGE, BLOCK_DIAGONAL, BLOCK_ROW, SUBMULTIPLICATIVE, TRIANGLE
from .moving_row import CENTRED, WEIGHTS_MOVE
from .row import SIZES, average, m, tokens, x
from .steps import Fact, Identity, Step

Matrix = Any

_own: Matrix = sp.Matrix(sp.symbols("epsilon_1:3", real=True))
_g: list[Matrix] = [sp.Matrix(sp.symbols(f"g_{j}_1:3", real=True)) for j in (1, 2, 3)]
_mean_g = average(_g)

LETTERS = (
    r"$y_j$ are the values, $m_i = \sum_j P_{ij} y_j$, and the scores of row $i$ move by $t_j = \langle g_{ij}, "
    r"\epsilon_i\rangle + \langle h_{ij}, e_j\rangle$",
)


def moving_scores(values: str, own: str, keys: str) -> tuple[Step, ...]:
    """The two parts of the derivative: norm at most `own` * G for the row's own change, 1 * `keys` for a row of keys.

    `values` bounds |y_j|; `own` is what |Cov(y, g)| is at most, `keys` what |sum_j P_j (y_j - m) h_j^T ...| is.
    """
    return (
        WEIGHTS_MOVE,
        CENTRED,
        Identity(
            r"The term of the row's own change is a covariance: $\sum_j P_{ij} (y_j - m_i) g_{ij}^\top \epsilon_i = "
            r"\sum_j P_{ij} (y_j - m_i)(g_{ij} - \bar g_i)^\top \epsilon_i$ with $\bar g_i = \sum_j P_{ij} g_{ij}$.",
            lhs=average([_g[j].dot(_own) * (x[j] - m) for j in tokens]),
            rhs=average([(x[j] - m) * (_g[j] - _mean_g).T for j in tokens]) * _own,
            sizes=SIZES,
        ),
        Identity(
            r"Variances are no larger than second moments: $\sum_j P_{ij} (y_j - m_i)(y_j - m_i)^\top = \sum_j P_{ij} "
            r"y_j y_j^\top - m_i m_i^\top$; so $\sum_j P_{ij} |y_j - m_i|^2 \le \max_j |y_j|^2$, and the same for $g$.",
            lhs=average([(y - m) * (y - m).T for y in x]),
            rhs=average([y * y.T for y in x]) - m * m.T,
            sizes=SIZES,
        ),
        Fact(
            rf"A product of a block row and a block column: $|\sum_j P_{{ij}} (y_j - m_i)(g_{{ij}} - \bar g_i)^\top| "
            rf"\le {values} \max_j |g_{{ij}}|$, which is at most {own}.",
            SUBMULTIPLICATIVE,
            letters={
                "S": r"the row $[\sqrt{P_{ij}} (y_j - m_i)]_j$",
                "T": r"the column $[\sqrt{P_{ij}} (g_{ij} - \bar g_i)^\top]_j$",
            },
        ),
        Fact("It reads the row's own change only.", BLOCK_DIAGONAL, letters={"D_i": "that covariance"}),
        Fact(
            rf"For the keys: $|\sum_j P_{{ij}} (y_j - m_i) \langle h_{{ij}}, e_j\rangle|^2 \le (\max_j |h_{{ij}}|)^2 "
            rf"\lambda_{{\max}}(\sum_j P_{{ij}} (y_j - m_i)(y_j - m_i)^\top) \sum_j P_{{ij}} |e_j|^2$; the factor of "
            rf"that sum has the root at most {keys}.",
            BLOCK_ROW,
            letters={
                "B_j": r"$\sqrt{P_{ij}} (y_j - m_i)$ times $\max_j |h_{ij}|$",
                "e_j": r"$\sqrt{P_{ij}} \langle h_{ij}, e_j\rangle / \max_j |h_{ij}|$",
            },
        ),
        Fact(
            r"And $|\sum_j P_{ij} y_j'|^2 \le \sum_j P_{ij} |y_j'|^2$ for the change $y'$ of the values.",
            BLOCK_ROW,
            letters={"B_j": r"$\sqrt{P_{ij}} I$", "e_j": r"$\sqrt{P_{ij}} y_j'$"},
        ),
        Fact(
            r"Summed over the rows, $\sum_j |e_j|^2 \sum_i P_{ij} \le (\max_j \sum_i P_{ij}) \sum_j |e_j|^2$, and the "
            r"same for $y'$.",
            AVERAGE,
            letters={"q": r"$|e_j|^2$, then $|y_j'|^2$", "t": r"$\sum_i P_{ij}$"},
            because={"nonnegative": "a squared norm is not negative"},
        ),
        Fact(
            r"The maps together have at most the sum of their norms; the fact is used twice.",
            TRIANGLE,
            letters={"S": "the first map, and the first two", "T": "the second, and the third"},
        ),
    )
