"""Moments of the values and keys seen by each token, in fixed point: what the theorems at a point are made of.

u_ij = V x_j - mu_i with mu_i = sum_j P_ij V x_j. Since sum_j P_ij u_ij = 0, one centred factor makes a covariance. The
matrices of all tokens stand one above the other, so that a product with a common factor is one product.
"""

from dataclasses import dataclass
from functools import cached_property

from .activations import HeadAtInput
from .exact import Exact
from .fixed import Fixed, beside, fixed, stacked, symmetric
from .norms import upper_root
from .report import Refused


@dataclass(frozen=True)
class Moments:
    """Of one head at the stored input; `folded` has the head's slice of W_O before V."""

    at: HeadAtInput
    folded: bool

    @property
    def tokens(self) -> range:
        return range(len(self.at.tokens.rows))

    @property
    def size(self) -> int:
        """k."""
        return len(self.at.head.value.rows)

    @cached_property
    def means(self) -> Fixed:
        """mu_i, (n, k)."""
        return self.at.weights @ self.at.value

    @cached_property
    def gradient_square(self) -> Fixed:
        """|b_i|^2 = scale^2 q_i^T (K K^T) q_i, (n, 1)."""
        form = (self.at.query @ fixed(self.at.head.key_gram)).times(self.at.query).row_sums()
        return form.times(fixed(Exact([[1]], self.at.layer.scale_squared)))

    @cached_property
    def value_gram(self) -> Fixed:
        return fixed(self.at.head.value_gram)

    def weight_column(self, i: int) -> Fixed:
        """P_ij over j, (n, 1)."""
        return self.at.weights.slice(i, i + 1).T

    def deviation(self, i: int) -> Fixed:
        """u_ij over j, (n, k); exactly zero for a single token."""
        if len(self.tokens) == 1:
            return Fixed([[0] * self.size], 0)
        mean = self.means.rows[i]
        rows = [[entry - centre for entry, centre in zip(row, mean, strict=True)] for row in self.at.value.rows]
        return Fixed(rows, self.at.value.error + self.means.error)

    @cached_property
    def _covariances(self) -> Fixed:
        """[N_i | V C_i V^T] for all tokens, (n k, 2 k), with N_i = sum_j P_ij u_ij k_j^T."""
        weighted = stacked(*(self.deviation(i).times(self.weight_column(i)).T for i in self.tokens))
        return weighted @ beside(self.at.key, self.at.value)

    @cached_property
    def _score_products(self) -> Fixed:
        """[N_i C | N_i Q V^T] for all tokens, (n k, 2 k), with C C^T >= Q Q^T."""
        head = self.at.head
        factors = beside(_root(head.query_gram), fixed(head.query @ head.value.T))
        return self._covariances.columns(0, self.size) @ factors

    def value_covariance(self, i: int) -> Fixed:
        """V C_i V^T, (k, k)."""
        return symmetric(self._of_token(self._covariances, i).columns(self.size, 2 * self.size))

    def score_covariance(self, i: int) -> Fixed:
        """N_i: V C_i A = scale N_i Q."""
        return self._of_token(self._covariances, i).columns(0, self.size)

    def score_root(self, i: int) -> Fixed:
        """N_i C: |V C_i A| <= scale |N_i C|, and (V C_i A)(V C_i A)^T <= scale^2 (N_i C)(N_i C)^T."""
        return self._of_token(self._score_products, i).columns(0, self.size)

    def score_value(self, i: int) -> Fixed:
        """N_i Q V^T."""
        return self._of_token(self._score_products, i).columns(self.size, 2 * self.size)

    @cached_property
    def _output_root(self) -> Fixed:
        """D with D D^T >= W_O^T W_O, so that |W_O M| <= |D^T M|."""
        return _root(self.at.head.output_gram)

    def before_output(self, matrix: Fixed) -> Fixed:
        """D^T M where W_O is folded in, else M."""
        return self._output_root.T @ matrix if self.folded else matrix

    def around_output(self, matrix: Fixed) -> Fixed:
        """D^T M D where W_O is folded in, else M, for a symmetric M."""
        return symmetric(self._output_root.T @ matrix @ self._output_root) if self.folded else matrix

    def _of_token(self, matrices: Fixed, i: int) -> Fixed:
        return matrices.slice(i * self.size, (i + 1) * self.size)


def _root(gram: Exact) -> Fixed:
    found = upper_root(gram)
    if found is None:
        raise Refused("proof.weights", "no root of a Gram matrix was found")
    return fixed(found)
