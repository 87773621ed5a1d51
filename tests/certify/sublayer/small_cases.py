"""Small sublayers at hostile tokens, and the proved ends at one of them."""

import numpy as np

from bounds import theorem
from certify.arithmetic.interval import Interval
from certify.attention_layer import Array
from certify.enclose import enclose
from certify.gram.deflation import Deflated, deflate
from certify.gram.dense import dense
from certify.gram.sublayer_map import sublayer_map
from certify.sublayer.enclosed import EnclosedSublayer
from certify.sublayer.sublayer import KINDS, Kind, Sublayer, SublayerProducts
from certify.sublayer.token_norm import TokenNorm
from tests.certify.layers import causal, random_layer

EXPRESSION = theorem("sublayer-deflation").expr
SYMBOLS = {str(symbol): symbol for symbol in theorem("sublayer-deflation").symbols}
TOKENS = ("random", "duplicated", "corners", "clusters", "huge", "tiny", "zero", "shifted")


def serially(function, tokens):
    return [function(i) for i in tokens]


def random_norm(rng: np.random.Generator, d: int, centred: bool = True, eps: float = 1e-5) -> TokenNorm:
    return TokenNorm(rng.standard_normal(d), rng.standard_normal(d), eps, centred)


def hostile_tokens(rng: np.random.Generator, word: str, n: int, d: int) -> Array:
    X = rng.standard_normal((n, d))
    match word:
        case "duplicated":
            X[:] = X[0]
        case "corners":
            X = 3.0 * np.sign(X)
        case "clusters":
            X[1:] = -X[0]
        case "huge":
            X *= 1e4
        case "tiny":
            X *= 1e-9
        case "zero":
            X[:] = 0.0
        case "shifted":
            X += 1e6
    return X


def small_case(seed: int, kind: Kind | None = None, word: str | None = None) -> tuple[Sublayer, Array]:
    """n d <= 36: masked or not, with W_O or side by side, plain or saturated, LayerNorm or RMSNorm."""
    rng = np.random.default_rng(seed)
    n, heads, v = int(rng.integers(1, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    output = bool(rng.random() < 0.7)
    d = int(rng.integers(2, 7)) if output else heads * v
    gain = float(rng.choice([1e-8, 0.3, 1.0, 3.0, 30.0]))
    mask = causal(n) if rng.random() < 0.3 else None
    layer = random_layer(seed, heads=heads, k=2, v=v, d=d, gain=gain, output=output, score_bias=mask)
    kind = kind or KINDS[int(rng.integers(3))]
    eps = float(rng.choice([1e-12, 1e-5, 1e-2]))
    norm = None if kind == "residual" else random_norm(rng, d, bool(rng.random() < 0.7), eps)
    return Sublayer(layer, kind, norm), hostile_tokens(rng, word or TOKENS[int(rng.integers(len(TOKENS)))], n, d)


def upper(found: Deflated) -> float:
    """The theorem's upper end."""
    values = found.enclosed().values
    environment = {SYMBOLS[name]: value for name, value in values.items() if isinstance(value, Interval)}
    return enclose(EXPRESSION, environment).upper


def deflated_and_dense(sublayer: Sublayer, X: Array) -> tuple[Deflated, Deflated]:
    J, products = sublayer_map(EnclosedSublayer(sublayer, X)), SublayerProducts(sublayer, X)
    return deflate(J, products, serially), dense(J, products, serially)
