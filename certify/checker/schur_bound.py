"""The input of the block Schur test at a point, proved again.

    schur_column = max_j sum_i lam_i / r_ij^2,   lam_i >= lambda_max( sum_j r_ij^2 B_ij B_ij^T ),
    B_ij = P_ij (V + u_ij b_i^T) for j != i,   B_ii = scale N_i Q + P_ii (V + u_ii b_i^T).

The certificate says which r_ij > 0 and lam_i; any r proves a bound, and each lam_i is proved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .columns import columns_at_most
from .exact import exact
from .fixed import Fixed, fixed, stacked, symmetric
from .local_norms import largest_at_most
from .moments import Moments


def schur_column(moments: Moments, r: Sequence[Sequence[Fraction]], lam: Sequence[Fraction], bound: Fraction) -> bool:
    """The columns' sums, then every lam_i."""
    rows = SchurRows(moments, fixed(exact(r)))
    return columns_at_most(r, lam, bound) and all(largest_at_most(rows.square(i), lam[i]) for i in moments.tokens)


@dataclass(frozen=True)
class SchurRows:
    """The rows of blocks for fixed r_ij, shape (n, n)."""

    moments: Moments
    r: Fixed

    def square(self, i: int) -> Fixed:
        """sum_j r_ij^2 B_ij B_ij^T, or a larger symmetric matrix, (k, k)."""
        here = self.r.slice(i, i + 1).columns(i, i + 1)
        return self.moments.around_output(self._others(i) + self._diagonal(i).times(here.times(here)))

    @cached_property
    def _value_gradient(self) -> Fixed:
        """V b_i with b_i = scale K^T q_i, (n, k)."""
        at = self.moments.at
        return (at.query @ fixed(at.head.key @ at.head.value.T)).times(at.scale)

    @cached_property
    def _query_gradient(self) -> Fixed:
        """Q b_i, (n, k)."""
        at = self.moments.at
        return (at.query @ fixed(at.head.key @ at.head.query.T)).times(at.scale)

    @cached_property
    def _masses(self) -> list[Fixed]:
        """omega_ij^2 = r_ij^2 P_ij^2 over j, 0 for j = i: (n, 1) for every i."""
        omegas = [self.moments.weight_column(i).times(self.r.slice(i, i + 1).T) for i in self.moments.tokens]
        for i, omega in enumerate(omegas):
            omega.rows[i][0] = 0
        return [omega.times(omega) for omega in omegas]

    @cached_property
    def _scaled(self) -> list[Fixed]:
        """omega_ij^2 u_ij^T, (k, n) for every i."""
        return [self.moments.deviation(i).times(self._masses[i]).T for i in self.moments.tokens]

    @cached_property
    def _spreads(self) -> Fixed:
        """sum_j omega_ij^2 u_ij y_j^T for all tokens, (n k, k)."""
        return stacked(*self._scaled) @ self.moments.at.value

    def _others(self, i: int) -> Fixed:
        """Over j != i: mass V V^T + g (V b)^T + (V b) g^T + |b|^2 sum omega^2 u u^T with g = sum omega^2 u."""
        moments, size = self.moments, self.moments.size
        g = self._scaled[i].row_sums()
        cross = g @ self._value_gradient.slice(i, i + 1)
        spread = self._spreads.slice(i * size, (i + 1) * size) - g @ moments.means.slice(i, i + 1)
        mass = self._masses[i].T.row_sums()
        return moments.value_gram.times(mass) + twice(cross) + symmetric(spread.times(self._gradient_square(i)))

    def _diagonal(self, i: int) -> Fixed:
        """B_ii B_ii^T with W = scale N_i Q and p = P_ii, W W^T replaced by the larger scale^2 (N_i C)(N_i C)^T:

        W W^T + p (W V^T + V W^T) + p (W b u^T + u (W b)^T) + p^2 (V V^T + V b u^T + u (V b)^T + |b|^2 u u^T).
        """
        moments = self.moments
        scale, p = moments.at.scale, moments.at.weights.slice(i, i + 1).columns(i, i + 1)
        u = moments.deviation(i).slice(i, i + 1).T
        root = moments.score_root(i).times(scale)
        mixed = moments.score_value(i).times(scale).times(p)
        through_b = (moments.score_covariance(i) @ self._query_gradient.slice(i, i + 1).T).times(scale)
        through_b = through_b.times(p) + self._value_gradient.slice(i, i + 1).T.times(p.times(p))
        own = moments.value_gram + (u @ u.T).times(self._gradient_square(i))
        return root @ root.T + twice(mixed) + twice(through_b @ u.T) + own.times(p.times(p))

    def _gradient_square(self, i: int) -> Fixed:
        return self.moments.gradient_square.slice(i, i + 1)


def twice(matrix: Fixed) -> Fixed:
    """M + M^T."""
    return matrix + matrix.T
