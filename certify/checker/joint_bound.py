"""The input of the block Schur test for the whole map at a point, all heads and W_O together, proved again.

    schur_column = max_j sum_i lam_i / r_ij^2,   lam_i >= |W_O M_i W_O^T|

with M_i of `joint_rows`. The certificate says which r_ij > 0 and lam_i; any r proves a bound, and each lam_i is proved:
for any G <= (W_O^T W_O)^-1, M_i <= lam_i G implies W_O M_i W_O^T <= lam_i W_O G W_O^T <= lam_i I.

Scaling r_ij over j and lam_i together changes nothing, nor does scaling W_O: powers of two bring all numbers near 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .activations import HeadAtInput
from .exact import Exact
from .integers import Matrix
from .inverse import below_inverse
from .joint_rows import JointRows
from .semidefinite import upper_is_semidefinite


@dataclass(frozen=True)
class Precision:
    """Binary places of M_i, bits of the factorisation, and by what part of the largest eigenvalues of W_O^T W_O rise.

    The ridge bounds the condition of the matrix to be factored, and costs about that part of lam_i.
    """

    places: int
    bits: int
    ridge: int


QUICK = Precision(60, 116, 26)  # entries of the factor fit two words of Python's integers
SHARP = Precision(112, 280, 80)


@dataclass(frozen=True)
class JointBound:
    """All heads of a layer at the stored input, with the output weight (d_out, H k) or None for the identity."""

    heads: Sequence[HeadAtInput]
    output: Exact | None

    def eigenvalue_at_most(self, i: int, r: Sequence[Fraction], lam: Fraction) -> bool:
        """Whether |W_O M_i W_O^T| <= lam was proved for token i with the factors r_ij over j."""
        return any(attempt.eigenvalue_at_most(i, r, lam) for attempt in self.attempts)

    @cached_property
    def attempts(self) -> "tuple[Attempt, Attempt]":
        """The second costs several times as much as the first; it decides where lam_i leaves no margin."""
        gram = self.output_gram
        return Attempt(self.heads, gram, QUICK), Attempt(self.heads, gram, SHARP)

    @cached_property
    def output_gram(self) -> Exact:
        """W_O^T W_O."""
        if self.output is not None:
            return self.output.T.gram()
        order = sum(len(at.head.value.rows) for at in self.heads)
        return Exact([[int(a == b) for b in range(order)] for a in range(order)], Fraction(1))


@dataclass(frozen=True)
class Attempt:
    """The proof with one precision."""

    heads: Sequence[HeadAtInput]
    output_gram: Exact
    precision: Precision

    def eigenvalue_at_most(self, i: int, r: Sequence[Fraction], lam: Fraction) -> bool:
        """True only if proved."""
        G, exponent = self._below_inverse
        if G is None or lam <= 0:
            return False
        places = self.precision.places
        shift = _half_exponent(lam) - exponent
        M = self._rows.square(i, [x / Fraction(2) ** shift for x in r])
        share = int(lam / Fraction(4) ** (shift + exponent) * (1 << places))  # of lam_i, scaled like M and G
        S = [[share * g - m for g, m in zip(*pair, strict=True)] for pair in zip(G, M.rows, strict=True)]
        for row in S:
            row[0] -= len(G) * (M.error + share + 1)
        return upper_is_semidefinite(S, self.precision.bits)

    @cached_property
    def _rows(self) -> JointRows:
        return JointRows(self.heads, self.precision.places)

    @cached_property
    def _below_inverse(self) -> tuple[Matrix | None, int]:
        """At most the inverse of 4**-e W_O^T W_O up to one unit of 2**-places an entry, its upper triangle, and e."""
        gram = self.output_gram
        top = max(row[i] for i, row in enumerate(gram.rows)) * gram.unit
        exponent = _half_exponent(top) if top > 0 else 0
        scaled = Exact(gram.rows, gram.unit / Fraction(4) ** exponent)
        G = below_inverse(scaled, Fraction(1, 1 << self.precision.ridge), self.precision.bits)
        if G is None:
            return None, exponent
        unit = G.unit * (1 << self.precision.places)
        return [[entry * unit.numerator // unit.denominator for entry in row] for row in G.rows], exponent


def _half_exponent(value: Fraction) -> int:
    """e with value / 4**e between 1/4 and 8."""
    return (value.numerator.bit_length() - value.denominator.bit_length()) // 2
