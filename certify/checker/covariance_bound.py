"""The inputs of the covariance theorem at a point, proved again.

covariance_term = max_i |V C_i A|,   weighted_column = max_j sum_i P_ij lam_i,
lam_i >= lambda_max( V (I + |b_i|^2 C_i) V^T )      (the certificate says which lam_i; each is proved)
"""

from collections.abc import Sequence
from fractions import Fraction

from .fixed import ONE, Fixed
from .local_norms import largest_at_most
from .moments import Moments


def covariance_term(moments: Moments, bound: Fraction) -> bool:
    """|V C_i A|^2 <= scale^2 |N_i C|^2, token by token."""
    square = bound * bound / moments.at.layer.scale_squared
    return all(_norm_square_at_most(moments.before_output(moments.score_root(i)), square) for i in moments.tokens)


def weighted_column(moments: Moments, lam: Sequence[Fraction], bound: Fraction) -> bool:
    """Every lam_i, then the columns' sums with every weight at its upper end."""
    weights = moments.at.weights
    if len(lam) != len(weights.rows) or not all(_eigenvalue_at_most(moments, i, lam[i]) for i in moments.tokens):
        return False
    columns = zip(*weights.rows, strict=True)
    sums = (sum((p + weights.error) * share for p, share in zip(column, lam, strict=True)) for column in columns)
    return all(total <= bound * ONE for total in sums)


def _eigenvalue_at_most(moments: Moments, i: int, lam: Fraction) -> bool:
    spread = moments.value_covariance(i).times(moments.gradient_square.slice(i, i + 1))
    return largest_at_most(moments.around_output(moments.value_gram + spread), lam)


def _norm_square_at_most(matrix: Fixed, square: Fraction) -> bool:
    """|M|^2 <= square: by the sum of the squared entries where that is enough."""
    entries = sum((abs(entry) + matrix.error) ** 2 for row in matrix.rows for entry in row)
    return Fraction(entries, ONE * ONE) <= square or largest_at_most(matrix @ matrix.T, square)
