"""The block rows of the whole Jacobian, all heads together and before W_O, in coarse fixed point with a counted error.

For token i and factors r_ij the matrix is M_i = sum_j r_ij^2 T_ij T_ij^T, where T_ij stacks over the heads
P^h_ij (V_h + u^h_ij b_i^hT) + delta_ij scale N^h_i Q_h,
N^h_i = sum_j P^h_ij u^h_ij k^h_j^T. With omega^h_j = r_ij P^h_ij, s^h_j = omega^h_j u^h_ij and
S_h = r_ii scale N^h_i its block (h, g) is

    a_hg V_h V_g^T + <b^h, b^g> sum_j s^h_j s^g_j^T + z_hg (V_g b^h)^T + (V_h b^g) z_gh^T + E_hg + E_gh^T,
    a_hg = sum_j omega^h_j omega^g_j,   z_hg = sum_j omega^g_j s^h_j,
    E_hg = S_h ( Q_h Q_g^T S_g^T / 2 + omega^g_i Q_h V_g^T + (Q_h b^g) s^g_i^T ).

Only the upper triangle is formed. A row c of a matrix of order H k belongs to head c // k.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .activations import HeadAtInput
from .coarse import Coarse, coarse, product_error, shortened, times
from .fixed import PLACES, Fixed, beside, fixed, stacked
from .integers import product, upper_gram
from .joint_gradients import JointGradients, stack


@dataclass(frozen=True)
class JointRows:
    """All heads of a layer at the stored input, in `places` binary places."""

    heads: Sequence[HeadAtInput]
    places: int

    @property
    def tokens(self) -> range:
        return range(len(self.heads[0].tokens.rows))

    @property
    def size(self) -> int:
        """k."""
        return len(self.heads[0].head.value.rows)

    @property
    def order(self) -> int:
        """H k."""
        return len(self.heads) * self.size

    def square(self, i: int, r: Sequence[Fraction]) -> Coarse:
        """M_i for the factors r_ij > 0 over j: row c from the diagonal on, in units of 2**(-2 places)."""
        omega, deviations = self._masses(i, r), self._deviations(i)
        s = self._weighted(omega, deviations)
        a, z = self._short(times(omega, omega.T)), self._short(times(omega, s))  # z: row g, column c holds z_hg
        spread = self._short(Coarse(upper_gram(s.rows, self.size), len(r) * product_error(s, s)))
        back, squares = self.gradients.values(i), self.gradients.products(i)
        S = self._scores(i, r[i], deviations)
        E = self._score_part(i, S, omega, s)
        error = product_error(a, self._value_gram) + product_error(squares, spread) + 2 * product_error(z, back)
        k, mirrored, rows = self.size, E.T.rows, []
        for c in range(self.order):
            h, row = c // k, []
            for g in range(h, len(self.heads)):
                block, later = slice(g * k, (g + 1) * k), slice((g - h) * k, (g - h + 1) * k)
                a_hg, square, z_g, b_g = a.rows[h][g], squares.rows[h][g], z.rows[g][c], back.rows[g][c]
                row += [
                    a_hg * v + square * t + z_g * b + b_g * w + e + f
                    for v, t, b, w, e, f in zip(
                        self._value_gram.rows[c][block],
                        spread.rows[c][later],
                        back.rows[h][block],
                        z.rows[h][block],
                        E.rows[c][block],
                        mirrored[c][block],
                        strict=True,
                    )
                ]
            rows.append(row[c % k :])
        return Coarse(rows, error + 2 * E.error)

    def _masses(self, i: int, r: Sequence[Fraction]) -> Coarse:
        """omega^h_j, (H, n)."""
        weights = [head.weights for head in self.heads]
        rows = [[self._scaled(p, x) for p, x in zip(weight.rows[i], r, strict=True)] for weight in weights]
        return Coarse(rows, self._scaled(max(weight.error for weight in weights), max(r)) + 2)

    def _deviations(self, i: int) -> Coarse:
        """u^h_ij over j for all heads side by side, (n, H k)."""
        means = self._means.rows[i]
        rows = [[y - mean for y, mean in zip(row, means, strict=True)] for row in self._values.rows]
        return Coarse(rows, self._values.error + self._means.error)

    def _weighted(self, weights: Coarse, deviations: Coarse) -> Coarse:
        """Every u^h_ij times the number (H, n) of its head and token, (n, H k)."""
        columns = map(self._repeated, weights.T.rows)
        rows = [[w * u for w, u in zip(*pair, strict=True)] for pair in zip(columns, deviations.rows, strict=True)]
        return self._short(Coarse(rows, product_error(weights, deviations)))

    def _scores(self, i: int, r: Fraction, deviations: Coarse) -> Coarse:
        """S_h one above the other, (H k, k)."""
        P = self._coarse(stacked(*(head.weights.slice(i, i + 1) for head in self.heads)))
        weighted, k = self._weighted(P, deviations).T, self.size
        N = Coarse([], 0)
        for start, key in zip(range(0, self.order, k), self._keys, strict=True):
            part = self._short(times(Coarse(weighted.rows[start : start + k], weighted.error), key))
            N = Coarse(N.rows + part.rows, max(N.error, part.error))
        scale = self.heads[0].scale
        factor, off = self._scaled(scale.rows[0][0], r), self._scaled(scale.error, r) + 2
        rows = [[entry * factor for entry in row] for row in N.rows]
        return self._short(Coarse(rows, product_error(N, Coarse([[factor]], off))))

    def _score_part(self, i: int, S: Coarse, omega: Coarse, s: Coarse) -> Coarse:
        """E, (H k, H k), in units of 2**(-2 places)."""
        through, gradients = self._block_diagonal_times(S, self._query_gram), self.gradients.queries(i)
        own, s_here = self._repeated([row[i] for row in omega.rows]), s.rows[i]
        rows = [
            [(y >> 1) + w * v + t * b for y, w, v, t, b in zip(y_row, own, v_row, s_here, b_row, strict=True)]
            for y_row, v_row, b_row in zip(
                through.T.rows, self._query_value.rows, map(self._repeated, gradients.T.rows), strict=True
            )
        ]
        error = through.error + 1 + product_error(omega, self._query_value) + product_error(s, gradients)
        return self._block_diagonal_times(S, self._short(Coarse(rows, error)))

    def _block_diagonal_times(self, blocks: Coarse, matrix: Coarse) -> Coarse:
        """diag(blocks) times a matrix of H k rows, in units of 2**(-2 places)."""
        k, rows = self.size, []
        for start in range(0, self.order, k):
            rows += product(blocks.rows[start : start + k], matrix.rows[start : start + k])
        return Coarse(rows, k * product_error(blocks, matrix))

    def _repeated(self, one_a_head: Sequence[int]) -> list[int]:
        return [entry for entry in one_a_head for _ in range(self.size)]

    @cached_property
    def gradients(self) -> JointGradients:
        return JointGradients(self.heads, self.places)

    @cached_property
    def _values(self) -> Coarse:
        """y_j of all heads, (n, H k)."""
        return self._coarse(beside(*(head.value for head in self.heads)))

    @cached_property
    def _keys(self) -> list[Coarse]:
        """k_j, (n, k) for every head."""
        return [self._coarse(head.key) for head in self.heads]

    @cached_property
    def _means(self) -> Coarse:
        """mu_i of all heads, (n, H k)."""
        return self._coarse(beside(*(head.weights @ head.value for head in self.heads)))

    @cached_property
    def _value_gram(self) -> Coarse:
        return self._coarse(fixed(stack(self.heads, "value").gram()))

    @cached_property
    def _query_gram(self) -> Coarse:
        return self._coarse(fixed(stack(self.heads, "query").gram()))

    @cached_property
    def _query_value(self) -> Coarse:
        return self._coarse(fixed(stack(self.heads, "query") @ stack(self.heads, "value").T))

    def _coarse(self, matrix: Fixed) -> Coarse:
        return coarse(matrix, self.places)

    def _short(self, product: Coarse) -> Coarse:
        return shortened(product, self.places)

    def _scaled(self, entry: int, factor: Fraction) -> int:
        """The entry, in units of 2**-fixed.PLACES, times the exact factor: rounded down to units of 2**-places."""
        return entry * factor.numerator // (factor.denominator << PLACES - self.places)
