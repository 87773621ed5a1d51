"""Spectral norms of many small blocks from above, by squaring: |M|^2 = |M M^T|, and at the end the Frobenius norm.

After s squarings this is the Schatten norm of index 2^(s+1), at most rank^(2^-(s+1)) times the spectral norm.
"""

import numpy as np

from ..arithmetic.matrices import quiet
from ..arithmetic.nearest import gamma
from ..attention_layer import Array


@quiet
def frobenius(blocks: Array) -> Array:
    """Frobenius norms (m,) of (m, k, l) doubles, rounded up: inf where they overflow.

    Squares that underflow add less than 2^-480.
    """
    count = blocks[0].size + 8
    return np.sqrt(np.square(blocks).sum((-2, -1))) * (1.0 + gamma(count)) + 2.0**-480


@quiet
def spectral_upper(blocks: Array, squarings: int) -> Array:
    """At least the spectral norms (m,) of (m, k, l) doubles, rounded up; nan or inf where they overflow.

    The computed square of a block with inner size l is off by at most gamma_l |M|_F^2 in the Frobenius norm. Blocks are
    scaled by powers of two to norm about 1 first; what underflows then is below 2^-900.
    """
    size = frobenius(blocks)
    if squarings == 0:
        return size
    exponent = np.frexp(size)[1]
    scaled = np.ldexp(blocks, -exponent[:, None, None])
    square = spectral_upper(scaled @ scaled.mT, squarings - 1)
    total = square + gamma(blocks.shape[-1] + 2) * frobenius(scaled) ** 2 + 2.0**-900
    return np.ldexp(np.sqrt(total) * (1.0 + gamma(16)), exponent) + 2.0**-480
