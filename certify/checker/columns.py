"""The last step of the block Schur test: max_j sum_i lam_i / r_ij^2 <= bound."""

from collections.abc import Sequence
from fractions import Fraction

PLACES = 200  # of the quotients lam_i / r_ij^2, each rounded up


def columns_at_most(r: Sequence[Sequence[Fraction]], lam: Sequence[Fraction], bound: Fraction) -> bool:
    """Whether no column's sum exceeds the bound, for r_ij > 0 and lam_i >= 0."""
    shares = ([_share(top, x) for x in row] for top, row in zip(lam, r, strict=True))
    return all(sum(column) <= bound * 2**PLACES for column in zip(*shares, strict=True))


def _share(lam: Fraction, r: Fraction) -> int:
    share = lam / r**2
    return -((-share.numerator << PLACES) // share.denominator)
