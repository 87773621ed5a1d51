"""A LayerNorm or RMSNorm at given tokens, everything enclosed: its statistics, its output and its Jacobian.

Letters as in `token_norm`. The tokens are balls, for the sum of a token and of the attention's output is no double; the
mean, the mean square and its inverse root are balls around theirs, and so is all that follows.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.elementary import reciprocal, sqrt
from ..arithmetic.matrices import BallMatrix
from ..errors import NoEnclosure
from .token_norm import TokenNorm


@dataclass(frozen=True, eq=False)
class NormAtTokens:
    """`norm` at tokens (n, d).

    Raises NoEnclosure, from every property, where a token's mean square overflows, or where with eps it may be 0.
    """

    norm: TokenNorm
    tokens: BallMatrix

    @cached_property
    def inverse(self) -> BallMatrix:
        """s, (n,)."""
        square = (self._projected_tokens * self._projected_tokens).sum(-1) * self._share
        known = np.isfinite(square.rad)
        if not known.all():
            raise NoEnclosure(f"the mean square of token {int(np.argmin(known))} in the {self.norm.name} overflows")
        nonnegative = BallMatrix.between(np.maximum(square.lower(), 0.0), np.maximum(square.upper(), 0.0))
        inverse = reciprocal(sqrt(nonnegative + self.norm.eps))
        known = np.isfinite(inverse.rad)
        if not known.all():
            token = int(np.argmin(known))
            raise NoEnclosure(
                f"the {self.norm.name} has no derivative bound at token {token}: its variance may be 0, and so is eps"
                if self.norm.eps == 0.0
                else f"the variance of token {token} in the {self.norm.name} plus eps underflows"
            )
        return inverse

    @cached_property
    def unit(self) -> BallMatrix:
        """xhat, (n, d)."""
        return self._projected_tokens * self.inverse[:, None]

    @cached_property
    def output(self) -> BallMatrix:
        """gamma xhat + beta, (n, d)."""
        return self.unit * self._gamma + BallMatrix.exact(self.norm.beta)

    @cached_property
    def jacobian(self) -> BallMatrix:
        """s Gamma (Pi - xhat xhat^T / d) of every token: (n, d, d)."""
        d = self.norm.width
        outer = (self.unit * self._share)[:, :, None] * self.unit[:, None, :]
        identity = self._projected(BallMatrix.exact(np.eye(d)))
        return (identity[None] - outer) * (self.inverse[:, None] * self._gamma)[:, :, None]

    def jvp(self, E: BallMatrix) -> BallMatrix:
        """The Jacobian applied to a direction (n, d)."""
        along = (self.unit * E).sum(-1) * self._share
        return (self._projected(E) - self.unit * along[:, None]) * self.inverse[:, None] * self._gamma

    def projected_columns(self, rows: BallMatrix) -> BallMatrix:
        """Rows (..., d) times Gamma Pi, which is what all tokens' Jacobians have in common."""
        return self._projected(rows * self._gamma)

    @cached_property
    def _gamma(self) -> BallMatrix:
        return BallMatrix.exact(self.norm.gamma)

    @cached_property
    def _share(self) -> BallMatrix:
        """1 / d."""
        return reciprocal(BallMatrix.exact(np.array(float(self.norm.width))))

    @cached_property
    def _projected_tokens(self) -> BallMatrix:
        return self._projected(self.tokens)

    def _projected(self, rows: BallMatrix) -> BallMatrix:
        """Pi applied to every row (..., d)."""
        return rows - (rows.sum(-1) * self._share)[..., None] if self.norm.centred else rows
