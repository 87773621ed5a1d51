"""Random layers and inputs for tests, from plain to hostile."""

from fractions import Fraction

import numpy as np

from certify.attention_layer import Array, AttentionLayer


def random_layer(
    seed: int,
    *,
    heads: int = 2,
    k: int = 3,
    v: int = 3,
    d: int = 5,
    gain: float = 1.0,
    output: bool = True,
    score_bias: Array | None = None,
) -> AttentionLayer:
    """Gaussian weights times `gain`, with biases everywhere."""
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> Array:
        return gain * rng.standard_normal(shape) / np.sqrt(shape[-1])

    return AttentionLayer(
        query_weight=draw(heads, k, d),
        query_bias=draw(heads, k),
        key_weight=draw(heads, k, d),
        key_bias=draw(heads, k),
        value_weight=draw(heads, v, d),
        value_bias=draw(heads, v),
        output_weight=draw(d, heads, v) if output else None,
        output_bias=draw(d) if output else None,
        scale_squared=Fraction(1, k),
        score_bias=score_bias,
    )


def causal(n: int) -> Array:
    """The additive mask under which token i sees tokens 0 to i."""
    return np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -np.inf)


def dense_jacobian(layer: AttentionLayer, X: Array) -> Array:
    """The Jacobian as one matrix, column by column (an estimate)."""
    columns = [layer.jvp(X, e.reshape(X.shape)).ravel() for e in np.eye(X.size)]
    return np.stack(columns, axis=1)
