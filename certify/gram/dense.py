"""The whole Gram matrix at once and a Cholesky proof of its largest eigenvalue: slow, simple, a second opinion.

G is put together from the same blocks as in `deflation`, whose errors add up in the Frobenius norm, but nothing is
deflated and no block norm is taken: a floating-point Cholesky factor of level I - G, whose residual alone is trusted
(`norms`), proves that no eigenvalue exceeds the level.
"""

import numpy as np

from ..arithmetic.nearest import gamma
from ..attention_layer import Array, AttentionLayer
from ..errors import InputError, NoEnclosure
from ..linear_map import LinearMap
from ..norms import cholesky_upper
from .deflation import Deflated
from .directions import leading_outputs
from .rounded_map import Mapper, RoundedMap
from .schatten import frobenius

LARGEST = 16_000  # outputs n d_out; about 10 GB and some minutes
_MARGINS = (1e-10, 1e-8, 1e-5, 1e-2, 1.0)  # relative room above the eigenvalue found, so that a factor exists


def require_dense(layer: AttentionLayer, n: int) -> None:
    """Raises InputError where the whole layer has more than `LARGEST` outputs."""
    d_out = layer.output_size
    if n * d_out > LARGEST:
        raise InputError(
            f"the exact tier takes at most {LARGEST} outputs, {n} tokens of size {d_out} are {n * d_out}: ask for "
            "fewer tokens, or for --tier tight"
        )


def dense(J: RoundedMap, products: LinearMap, each: Mapper) -> Deflated:
    """The theorem's numbers without any direction: the remainder is |G| itself. `each` maps the tokens.

    Raises NoEnclosure for more than `LARGEST` outputs, or where a number overflows.
    """
    n, d_out = J.tokens, J.output_size
    if n * d_out > LARGEST:
        raise NoEnclosure(f"a dense proof of {n} x {d_out} = {n * d_out} outputs: at most {LARGEST} are taken")
    G = np.empty((n * d_out, n * d_out))
    errors = each(lambda i: _fill(G, J, i), range(n))
    square = float(np.square(np.concatenate(errors)).sum())
    error = float(np.sqrt(2.0 * square) * (1.0 + gamma(n * n + 16)))
    theta, _ = leading_outputs(products, 1)
    return Deflated(0.0, 0.0, _largest(G, float(theta.max(initial=0.0))) + error, J.distance, 0)


def _fill(G: Array, J: RoundedMap, i: int) -> Array:
    """Rows and columns of token i from the diagonal on; the errors of these blocks."""
    n, d_out = J.tokens, J.output_size
    errors = []
    for other in range(i, n):
        block, error = J.gram(i, np.array([other]))
        here, there = slice(i * d_out, (i + 1) * d_out), slice(other * d_out, (other + 1) * d_out)
        # the diagonal block is symmetric up to its error, and so is its symmetric part
        G[here, there] = block[0] if other > i else 0.5 * (block[0] + block[0].T)
        G[there, here] = G[here, there].T
        errors.append(error[0] * (1.0 + gamma(4)) + gamma(4) * float(np.abs(block[0]).sum()))
    return np.array(errors)


def _largest(G: Array, suggested: float) -> float:
    """The least level near the suggested eigenvalue that a factor proves, in the worst case the Frobenius norm."""
    near = (suggested * (1.0 + margin) for margin in _MARGINS if suggested > 0.0)
    for level in (*near, 1.01 * float(frobenius(G[None])[0])):
        bound = cholesky_upper(G, level)
        if bound is not None:
            return bound
    raise NoEnclosure("the Gram matrix overflows or has no Cholesky factor: no dense bound")
