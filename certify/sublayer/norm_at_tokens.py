"""A LayerNorm or RMSNorm at given tokens, everything enclosed: its statistics, its output and its Jacobian.

Letters as in `token_norm`. The tokens are balls, for the sum of a token and of the attention's output is no double; the
mean, the mean square and its inverse root are balls around theirs, and so is all that follows.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.elementary import reciprocal
from ..arithmetic.matrices import BallMatrix, quiet
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
    @quiet
    def inverse(self) -> BallMatrix:
        """s, (n,): from both ends of the mean square, which is never negative, each rounded outward."""
        square = (self._projected_tokens * self._projected_tokens).sum(-1) * self._share
        known = np.isfinite(square.rad)
        if not known.all():
            raise NoEnclosure(f"the mean square of token {int(np.argmin(known))} in the {self.norm.name} overflows")
        eps = self.norm.eps
        least = np.maximum(np.nextafter(np.maximum(square.lower(), 0.0) + eps, -np.inf), 0.0)
        most = np.nextafter(np.maximum(square.upper(), 0.0) + eps, np.inf)
        upper = np.nextafter(1.0 / np.nextafter(np.sqrt(least), 0.0), np.inf)
        if not (upper < np.inf).all():
            token = int(np.argmin(upper < np.inf))
            raise NoEnclosure(
                f"the {self.norm.name} may have no derivative: token {token} may vary by 0, and eps is {eps}"
            )
        return BallMatrix.between(np.nextafter(1.0 / np.nextafter(np.sqrt(most), np.inf), 0.0), upper)

    @cached_property
    @quiet
    def unit(self) -> BallMatrix:
        """xhat, (n, d), of which no entry exceeds sqrt(d): balls that do are intersected with that."""
        ball, largest = self._projected_tokens * self.inverse[:, None], np.nextafter(np.sqrt(self.norm.width), np.inf)
        lower, upper = ball.lower(), ball.upper()
        inside = (lower >= -largest) & (upper <= largest)
        if inside.all():
            return ball
        cut = BallMatrix.between(np.clip(lower, -largest, largest), np.clip(upper, -largest, largest))
        return BallMatrix(np.where(inside, ball.mid, cut.mid), np.where(inside, ball.rad, cut.rad))

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
