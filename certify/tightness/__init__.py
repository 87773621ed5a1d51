"""How far the closed forms on a ball are from the best constant: certified lower bounds, and a cover of all (n, rho).

L(n, rho) is the largest Lipschitz constant of one unmasked softmax head on n tokens of the unit ball of R^d, d >= 2,
among all heads with |A| <= rho, |V| <= 1 and no query bias (any other radius only scales: rho = R^2 |A|).
`table()` proves for every n >= 3 and every rho >= 0 that the least closed form is at most 1.499 L(n, rho). Where a
range of n has no end the closed form is the one for many tokens, which holds for measures too: so for every rho >= 0 it
is at most 1.496 times the constant of the mean-field limit, which is no less than any L(n, rho).
"""

from .cells import Cell, SettledCell, settle
from .cover import Cover, cover
from .table import Row, latex, table

__all__ = ["Cell", "Cover", "Row", "SettledCell", "cover", "latex", "settle", "table"]
