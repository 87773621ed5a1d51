"""Proofs of |M| <= L by exact integer arithmetic: L^2 I - M M^T is positive semidefinite.

Only Gram matrices of the small side are formed. All norms are spectral; L^2 comes in as an exact rational.
"""

from fractions import Fraction

from .exact import Exact
from .semidefinite import BITS, is_semidefinite, root_above


def gram_at_most(gram: Exact, square: Fraction) -> bool:
    """Whether lambda_max(gram) <= square was proved, gram symmetric."""
    share = square / gram.unit
    top, bottom = share.numerator, share.denominator
    return is_semidefinite(
        [[top * (i == j) - bottom * entry for j, entry in enumerate(row)] for i, row in enumerate(gram.rows)]
    )


def product_at_most(left_gram: Exact, right_gram: Exact, square: Fraction) -> bool:
    """Whether |L^T R|^2 <= square was proved, from L L^T and R R^T of one size.

    |L^T R|^2 = lambda_max(R^T L L^T R) <= lambda_max(R^T C C^T R) = lambda_max(C^T R R^T C) for any C C^T >= L L^T.
    """
    root = upper_root(left_gram)
    return root is not None and gram_at_most(root.T @ right_gram @ root, square)


def upper_root(gram: Exact, bits: int = BITS) -> "Exact | None":
    """C with C C^T >= gram and close to it, for gram symmetric; its unit is rational since the shift is even."""
    rows, unit = gram.rows, gram.unit
    factor = unit.numerator * unit.denominator  # unit = factor / denominator^2
    found = root_above([[entry * factor for entry in row] for row in rows], bits)
    if found is None:
        return None
    C, shift = found  # C C^T >= 2^shift factor G, hence C C^T / (2^shift denominator^2) >= unit G
    return Exact(C, Fraction(1, unit.denominator) / Fraction(2) ** (shift // 2))
