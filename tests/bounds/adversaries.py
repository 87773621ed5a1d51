"""Named adversaries: heads and layers built to break a bound; every function without an underscore in front attacks.

Random heads hardly ever object to a slip (half the exponent passed every one of them); the families below know where
a bound is nearly reached, and each is the one that objects to some near miss.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from .head import Array, Head, Layer, LayerNorm, causal_mask

Attack = Callable[[], Iterator[Head | Layer]]


def _head(X: Array, A: Array, V: Array | None = None, a: Array | None = None, **more: object) -> Head:
    d = X.shape[1]
    return Head(X, A, np.eye(d) if V is None else V, np.zeros(d) if a is None else a, **more)  # type: ignore[arg-type]


def _line(positions: Array | list[float], A: float = 0.0, a: float = 0.0) -> Head:
    """Tokens on the real line."""
    return _head(np.array(positions, dtype=float)[:, None], np.array([[A]]), a=np.array([a]))


def _random(rng: np.random.Generator, n: int, d: int, gain: float = 1.0) -> Head:
    X, A, V = rng.standard_normal((n, d)), rng.standard_normal((d, d)), rng.standard_normal((d + 1, d))
    return Head(X, gain * A, V, rng.standard_normal(d))


def random_heads() -> Iterator[Head]:
    rng = np.random.default_rng(1)
    for n, d in ((2, 1), (2, 3), (3, 2), (5, 3), (8, 4), (16, 2)):
        yield from (_random(rng, n, d, gain) for gain in (0.1, 1.0, 3.0))


def masked_heads() -> Iterator[Head]:
    """Causal masks, random masks with a row that sees nothing, and position biases."""
    rng = np.random.default_rng(2)
    for n in (2, 5, 9):
        holes = np.where(rng.random((n, n)) < 0.5, -np.inf, 0.0)
        holes[0] = -np.inf
        for c in (causal_mask(n), holes, 3 * rng.standard_normal((n, n))):
            yield replace(_random(rng, n, 3), c=c)


def causal_heads() -> Iterator[Head]:
    """The families below under the causal mask, which shows the first token to all."""
    for family in (one_against_many, two_clusters, query_bias_only, antipodal_tokens, off_the_span, random_heads):
        yield from (replace(head, c=causal_mask(len(head.X))) for head in family())


def saturated_heads() -> Iterator[Head]:
    """Rows of P that are one-hot to machine precision, towards one token or towards different ones."""
    rng = np.random.default_rng(3)
    yield from (_random(rng, n, d, gain=100.0) for n, d in ((2, 2), (6, 3), (9, 1)))
    yield _line([1.0] + [-1.0] * 8, a=40.0)


def one_against_many() -> Iterator[Head]:
    """One token moved against n-1 others along an eigenvector of A with a negative eigenvalue (section 6, k = 1)."""
    for n, decay in ((400, 3.0), (150, 2.5), (40, 1.8), (1097, 3.5)):
        yield _line([1.0] + [-1.0] * (n - 1), A=-decay)
    yield _line([3.0] + [-3.0] * 399, A=-1 / 3)


def two_clusters() -> Iterator[Head]:
    """k tokens moved together against n-k (section 6), and a positive eigenvalue with the clusters on one side."""
    for n, k, decay in ((12, 3, 0.5), (60, 2, 1.5), (90, 5, 1.5), (20, 10, 0.2)):
        yield _line([1.0] * k + [-1.0] * (n - k), A=-decay)
    for n, growth in ((30, 8.0), (200, 16.0)):
        yield _line([1.0] + [0.5] * (n - 1), A=growth)


def positive_scores() -> Iterator[Head]:
    """A symmetric and positive semidefinite: random ones of full and low rank, and far tokens around one at rest."""
    rng = np.random.default_rng(29)
    for n, rank in ((4, 3), (9, 1), (30, 2)):
        factor = rng.standard_normal((3, rank))
        A = factor @ factor.T
        yield _head(rng.standard_normal((n, 3)), (A + A.T) / 2)
    for n, growth in ((3, 9.0), (12, 40.0), (150, 20.0)):
        yield _line([0.0] + [1.0, -1.0] * (n // 2), A=growth)
        yield _line([1.0] + [0.5] * (n - 1), A=growth)


def pair_against_many() -> Iterator[Head]:
    """n-2 tokens at -e1 and two at an angle on the other side, moved in opposite directions (section 6, d >= 2)."""
    for n, angle, decay in ((10, 0.6, 1.0), (60, 0.4, 2.0), (60, 0.8, 4.0)):
        pair = [[math.cos(angle), math.sin(angle)], [math.cos(angle), -math.sin(angle)]]
        X, A = np.array([[-1.0, 0.0]] * (n - 2) + pair), -decay * np.eye(2)
        yield _head(X, A)
        yield _head(20 * X, A / 400)  # the same Jacobian on a larger ball


def query_bias_only() -> Iterator[Head]:
    """A = 0: every score comes from the query bias, and one token in n holds a good part of every row."""
    for n, bias in ((270, 3.0), (76, 2.36), (20, 1.5), (3, 0.5)):
        yield _line([1.0] + [-1.0] * (n - 1), a=bias)
    yield _line([3.0] + [-3.0] * 269, a=1.0)
    yield _line([0.25] + [-0.25] * 269, a=12.0)


def balanced_scores() -> Iterator[Head]:
    """Constants that take back every score, so that P stays uniform while the scores are steep."""
    for n, bias in ((2, 5.0), (6, 2.0)):
        head = _line([1.0, -1.0] * (n // 2), a=bias)
        yield replace(head, c=-(head.b @ head.X.T))


def favoured_token() -> Iterator[Head]:
    """One token that every row prefers: by a constant, by a constant and the scores, or because it sees no other."""
    for n, gap in ((50, 6.0), (400, 8.0)):
        c = np.zeros((n, n))
        c[:, 0] = gap
        yield replace(_line([0.0] * n), c=c)
        yield replace(_line([1.0] + [-1.0] * (n - 1), A=-1.5), c=c / 2)
    star = np.full((9, 9), -np.inf)
    star[:, 0] = 0.0
    yield replace(_line([0.0] * 9), c=star)
    yield replace(_head(np.zeros((9, 2)), np.eye(2), 3 * np.eye(2)), c=star)


def windows() -> Iterator[Head]:
    """Rows that see a block of the tokens, one of which they prefer by the query bias or by A."""
    for blocks, size, decay in ((2, 40, 1.8), (3, 150, 2.5)):
        whole = np.kron(np.eye(blocks), np.ones((size, size)))
        X = np.array(([1.0] + [-1.0] * (size - 1)) * blocks)
        c = np.where(whole > 0, 0.0, -np.inf)
        yield replace(_line(X, A=-decay), c=c)
        yield replace(_line(X, a=decay), c=c)


def own_choices() -> Iterator[Head]:
    """Constants alone: every row chooses its own token, and leaves the rest to one that all share."""
    for n, left in ((60, 0.3), (9, 0.05)):
        P = np.full((n, n), 1e-9)
        P[:, 0] = left
        P[range(n), range(n)] = 1 - left
        yield _head(np.zeros((n, 2)), np.zeros((2, 2)), c=np.log(P))


def duplicated_tokens() -> Iterator[Head]:
    rng = np.random.default_rng(4)
    for n, d in ((2, 2), (7, 3)):
        head = _random(rng, n, d)
        yield replace(head, X=np.repeat(head.X[:1], n, axis=0))
        yield replace(head, X=np.concatenate([head.X, head.X]))


def one_hot_tokens() -> Iterator[Head]:
    for gain in (-5.0, -1.0, 1.0, 5.0):
        yield _head(np.eye(4), gain * np.eye(4))
        yield _head(np.eye(3), gain * np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]), a=np.array([1.0, 0, 0]))


def antipodal_tokens() -> Iterator[Head]:
    """Half the tokens at u, half at -u, weakly coupled: all tokens moved along u lose nothing to the average."""
    for n, gain in ((2, 0.01), (2, 0.3), (10, 0.05), (2, 1.0), (2, -1.0)):
        yield _line([1.0, -1.0] * (n // 2), A=gain)


def off_the_span() -> Iterator[Head]:
    """A reads a direction that no token has: P stays uniform, only the own scores move."""
    for n, gain in ((2, 4.0), (2, 40.0), (8, 10.0)):
        yield _head(np.array([[1.0, 0.0], [-1.0, 0.0]] * (n // 2)), np.array([[0.0, gain], [0.0, 0.0]]))


def single_token() -> Iterator[Head]:
    rng = np.random.default_rng(5)
    yield from (_random(rng, 1, d, gain=5.0) for d in (1, 4))


def one_dimension() -> Iterator[Head]:
    rng = np.random.default_rng(6)
    yield from (_random(rng, n, 1, gain) for n in (2, 5, 30) for gain in (0.5, 5.0))


def extreme_scales() -> Iterator[Head]:
    """Tokens and maps near the ends of what float64 squares."""
    rng = np.random.default_rng(7)
    for size in (1e-60, 1e-9, 1e4, 1e60):
        head = _random(rng, 4, 2)
        yield replace(head, X=size * head.X)
        yield replace(head, X=size * head.X, A=head.A / size**2, a=head.a / size)
        yield replace(head, V=size * head.V)


def layernorm_image() -> Iterator[Head]:
    """Random images of a LayerNorm, on the rim of the ellipsoid and inside, with weights from flat to nearly flat."""
    rng = np.random.default_rng(8)
    for n, d, spread in ((2, 2, 1.0), (4, 3, 0.1), (6, 5, 1.0), (3, 8, 3.0)):
        for inside in (1.0, 0.3):
            centred = rng.standard_normal((n, d))
            centred -= centred.mean(axis=1, keepdims=True)
            z = inside * math.sqrt(d) * centred / np.linalg.norm(centred, axis=1, keepdims=True)
            norm = LayerNorm(1 + spread * rng.standard_normal(d), rng.standard_normal(d))
            yield replace(_random(rng, n, d, 1 / d), X=z * norm.gamma + norm.beta, layernorm=norm)


def layernorm_clusters() -> Iterator[Head]:
    """One token against many behind a LayerNorm: by A, by the query bias and by A beta; one output is kept."""
    for d, n, decay in ((2, 400, 3.0), (8, 60, 2.0), (2, 20, 0.5)):
        u = np.repeat([1.0, -1.0], d // 2)  # |u| = sqrt(d), orthogonal to 1
        X, V, one = np.stack([u] + [-u] * (n - 1)), u[None] / math.sqrt(d), LayerNorm(np.ones(d), np.zeros(d))
        coupling = -decay / d * np.eye(d)
        yield _head(X, coupling, V, layernorm=one)
        yield _head(X, 0 * coupling, V, a=decay / d * u, layernorm=one)
        shifted = LayerNorm(np.ones(d), 0.5 * u)
        yield _head(X + shifted.beta, coupling, V, layernorm=shifted)


def layernorm_flat() -> Iterator[Head]:
    """A weight near zero, so that only the average is left; a map A that reads only what LayerNorm removes."""
    d = 4
    u = np.array([1.0, -1.0, 1.0, -1.0])
    flat = LayerNorm(np.full(d, 1e-3), np.zeros(d))
    yield _head(1e-3 * np.stack([u, -u]), np.eye(d), layernorm=flat)
    one = LayerNorm(np.ones(d), np.zeros(d))
    yield _head(np.stack([u, -u]), np.outer(u, np.ones(d)), layernorm=one)
    yield _head(np.stack([u, -u]), 1e-3 * np.outer(u, u), layernorm=one)


def random_layers() -> Iterator[Layer]:
    rng = np.random.default_rng(9)
    for heads, n, d in ((1, 3, 2), (2, 4, 3), (5, 3, 4)):
        first = _random(rng, n, d)
        others = [replace(_random(rng, n, d), X=first.X) for _ in range(heads - 1)]
        yield Layer([first, *others], rng.standard_normal((heads, d, d + 1)))


def equal_heads() -> Iterator[Layer]:
    """Copies of one head: into one output direction they add up, into orthogonal ones their squares do."""
    rng = np.random.default_rng(10)
    head = _random(rng, 4, 2)
    yield Layer([head] * 3, np.stack([2 * np.eye(3)] * 3))
    yield Layer([head] * 3, np.kron(np.eye(3), 2 * np.eye(3)).reshape(9, 3, 3).transpose(1, 0, 2))


@cache
def adversaries() -> dict[str, tuple[Head | Layer, ...]]:
    """Everything that the functions above yield, by their names."""
    module = sys.modules[__name__]
    return {
        name: tuple(attack())
        for name, attack in vars(module).items()
        if getattr(attack, "__module__", None) == __name__ and not name.startswith("_") and name != "adversaries"
    }
