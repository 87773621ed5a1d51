"""The Jacobian of any small map to more than 100 digits, by complex steps: no formula of a derivative is used.

f(x + i h e) = f(x) + i h Df(x) e + O(h^2) with h = 2^-300, in balls of 1200 bits.
"""

from collections.abc import Callable, Sequence

import numpy as np
from flint import acb, acb_mat, arb, ctx, fmpq

from certify.attention_layer import Array
from certify.explicit.attention_pair import AttentionPair
from certify.sublayer.sublayer import Kind
from certify.sublayer.token_norm import TokenNorm
from tests.certify.gram.exact_jacobian import quotient_below

BITS, STEP = 1200, 300
Token = list[acb]
Forward = Callable[[list[Token]], list[Token]]
Angles = Callable[[int, int], arb]  # of a position and a pair; None for a stored table


def norm_below(f: Forward, Z: Sequence[Array], moved: range | None = None) -> float:
    """A number below the norm of the Jacobian of f at tokens Z in those that are `moved` (all by default)."""
    from flint import arb_mat

    old, ctx.prec = ctx.prec, BITS
    try:
        columns = []
        for j in moved if moved is not None else range(len(Z)):
            for c in range(len(Z[j])):
                tokens = [[acb(float(x)) for x in token] for token in Z]
                tokens[j][c] += acb(0, arb(2) ** -STEP)
                columns.append([entry.imag * arb(2) ** STEP for token in f(tokens) for entry in token])
        J = arb_mat([[column[row] for column in columns] for row in range(len(columns[0]))])
        return quotient_below([[J]])
    finally:
        ctx.prec = old


def cross(pair: AttentionPair, n: int, angles: Angles | None = None) -> Forward:
    """The first n tokens are those of X, the others those of Y."""
    return lambda tokens: attention(pair, tokens[:n], tokens[n:], angles)


def around(pair: AttentionPair, kind: Kind | None, norm: TokenNorm | None, angles: Angles | None = None) -> Forward:
    def f(tokens: list[Token]) -> list[Token]:
        entering = [normed(norm, x) for x in tokens] if norm and kind == "pre-norm" else tokens
        found = attention(pair, entering, entering, angles)
        if kind is None:
            return found
        total = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(tokens, found, strict=True)]
        return [normed(norm, x) for x in total] if norm and kind == "post-norm" else total

    return f


def normed(norm: TokenNorm, x: Token) -> Token:
    d = len(x)
    mean = sum(x, acb(0)) / d if norm.centred else acb(0)
    y = [entry - mean for entry in x]
    sigma = (sum((entry * entry for entry in y), acb(0)) / d + acb(norm.eps)).sqrt()
    return [acb(float(g)) * e / sigma + acb(float(b)) for g, e, b in zip(norm.gamma, y, norm.beta, strict=True)]


def attention(pair: AttentionPair, X: list[Token], Y: list[Token], angles: Angles | None = None) -> list[Token]:
    scale = acb(arb(fmpq(pair.scale_squared.numerator, pair.scale_squared.denominator)).sqrt())
    outputs: list[Token] = [[] for _ in X]
    for h in range(pair.heads):
        q = [turned(pair, _affine(pair.query_weight[h], pair.query_bias[h], x), i, angles) for i, x in enumerate(X)]
        k = [turned(pair, _affine(pair.key_weight[h], pair.key_bias[h], y), j, angles) for j, y in enumerate(Y)]
        v = [_affine(pair.value_weight[h], pair.value_bias[h], y) for y in Y]
        for i in range(len(X)):
            c = (
                None
                if pair.score_bias is None
                else pair.score_bias[..., i, :].reshape(-1, len(Y))[-1 if pair.score_bias.ndim == 2 else h]
            )
            seen = [j for j in range(len(Y)) if c is None or np.isfinite(c[j])]
            s = {j: scale * sum((a * b for a, b in zip(q[i], k[j], strict=True)), acb(0)) for j in seen}
            if c is not None:
                s = {j: value + acb(float(c[j])) for j, value in s.items()}
            top = max((value.real.mid() for value in s.values()), default=arb(0))
            e = {j: (value - top).exp() for j, value in s.items()}
            total = sum(e.values(), acb(0))
            size = pair.value_weight.shape[1]
            outputs[i] += [sum((e[j] * v[j][a] for j in seen), acb(0)) / total if seen else acb(0) for a in range(size)]
    if pair.output_weight is None:
        return outputs
    W = pair.output_weight.reshape(pair.output_size, -1)
    bias = np.zeros(pair.output_size) if pair.output_bias is None else pair.output_bias
    return [_affine(W, bias, o) for o in outputs]


def turned(pair: AttentionPair, x: Token, position: int, angles: Angles | None) -> Token:
    """The rotation written out entry by entry, from the true angles or from the stored table."""
    if pair.rotary is None:
        return x
    pairs, result = pair.rotary.size // 2, list(x)
    for p in range(pairs):
        if angles is None:
            cos, sin = (acb(float(table.mid[position, p])) for table in (pair.rotary.cos, pair.rotary.sin))
        else:
            cos, sin = acb(angles(position, p).cos()), acb(angles(position, p).sin())
        a, b = (p, p + pairs) if pair.rotary.layout == "half" else (2 * p, 2 * p + 1)
        result[a], result[b] = x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos
    return result


def _affine(W: Array, bias: Array, x: Token) -> Token:
    image = acb_mat([[acb(float(w)) for w in row] for row in W]) * acb_mat([[entry] for entry in x])
    return [row[0] + acb(float(b)) for row, b in zip(image.tolist(), bias, strict=True)]
