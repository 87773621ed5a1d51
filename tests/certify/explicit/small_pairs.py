"""Small attention pairs, and the proved ends of an explicit map."""

from fractions import Fraction

import numpy as np
from flint import arb, fmpq

from bounds import theorem
from certify.arithmetic.interval import Interval
from certify.attention_layer import Array
from certify.enclose import enclose
from certify.explicit.attention_pair import AttentionPair
from certify.explicit.explicit_map import ExplicitMap
from certify.explicit.rotary import Layout, Rotary
from certify.gram.deflation import Deflated, deflate
from certify.gram.dense import dense

EXPRESSION = theorem("written-out-deflation").expr
SYMBOLS = {str(symbol): symbol for symbol in theorem("written-out-deflation").symbols}
THETA = 100.0


def random_pair(
    seed: int,
    *,
    d: int = 5,
    d_y: int | None = None,
    heads: int = 2,
    k: int = 4,
    v: int = 2,
    d_out: int | None = None,
    gain: float = 1.0,
    output: bool = True,
    score_bias: Array | None = None,
    rotary: Rotary | None = None,
) -> AttentionPair:
    """Gaussian weights times `gain`, with biases everywhere."""
    rng = np.random.default_rng(seed)
    d_y, d_out = d if d_y is None else d_y, d if d_out is None else d_out

    def draw(*shape: int) -> Array:
        return gain * rng.standard_normal(shape) / np.sqrt(shape[-1])

    return AttentionPair(
        query_weight=draw(heads, k, d),
        query_bias=draw(heads, k),
        key_weight=draw(heads, k, d_y),
        key_bias=draw(heads, k),
        value_weight=draw(heads, v, d_y),
        value_bias=draw(heads, v),
        output_weight=draw(d_out, heads, v) if output else None,
        output_bias=draw(d_out) if output else None,
        scale_squared=Fraction(1, k),
        score_bias=score_bias,
        rotary=rotary,
    )


def angles_of(size: int, theta: float = THETA, first: int = 0):
    """The true angle of a position and a pair."""
    return lambda position, pair: (arb(theta) ** arb(fmpq(-2 * pair, size))) * (position + first)


def stored_table(positions: int, size: int, layout: Layout = "half", theta: float = THETA) -> Rotary:
    """float32 tables, as a model keeps them."""
    angle = np.arange(positions)[:, None] * theta ** (-2.0 * np.arange(size // 2) / size)
    return Rotary.stored(np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32), layout)


def serially(function, tokens):
    return [function(i) for i in tokens]


def upper(found: Deflated) -> float:
    values = found.enclosed().values
    environment = {SYMBOLS[name]: value for name, value in values.items() if isinstance(value, Interval)}
    return enclose(EXPRESSION, environment).upper


def ends(J: ExplicitMap) -> tuple[float, float, float]:
    """The upper ends by deflation and by the dense proof, and the witness."""
    return upper(deflate(J, J, serially)), upper(dense(J, J, serially)), J.witness().bound.value
