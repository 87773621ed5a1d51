"""The Jacobian of a small layer to 200 digits, and a norm below it that no bound may undercut."""

import numpy as np
from flint import arb, arb_mat, ctx

from certify.attention_layer import Array, AttentionLayer

BITS = 700  # a little over 200 digits


def matrix(values: Array) -> arb_mat:
    return arb_mat([[arb(float(x)) for x in row] for row in np.atleast_2d(values)])


def exact_jacobian(layer: AttentionLayer, X: Array) -> list[list[arb_mat]]:
    """Blocks (i, j) of shape (d_out, d); call with ctx.prec = BITS."""
    return exact_blocks(layer, [matrix(x).transpose() for x in X])[0]


def exact_blocks(layer: AttentionLayer, tokens: list[arb_mat]) -> tuple[list[list[arb_mat]], list[arb_mat]]:
    """The blocks at tokens that are columns (d, 1), and the outputs (d_out, 1); call with ctx.prec = BITS."""
    n, d = len(tokens), layer.width
    outputs: list[list[arb_mat]] = [[] for _ in range(n)]
    scale = (arb(layer.scale_squared.numerator) / arb(layer.scale_squared.denominator)).sqrt()
    visible = layer.visible(n)
    rows: list[list[list[arb_mat]]] = [[[] for _ in range(n)] for _ in range(n)]
    for h in range(layer.heads):
        Q, K, V = (matrix(W[h]) for W in (layer.query_weight, layer.key_weight, layer.value_weight))
        q = [Q * x + matrix(layer.query_bias[h]).transpose() for x in tokens]
        k, y = [K * x for x in tokens], [V * x for x in tokens]
        for i in range(n):
            seen = [j for j in range(n) if visible is None or (visible if visible.ndim == 2 else visible[h])[i, j]]
            score = {j: scale * (q[i].transpose() * k[j])[0, 0] for j in seen}
            if layer.score_bias is not None:
                c = layer.score_bias if layer.score_bias.ndim == 2 else layer.score_bias[h]
                score = {j: s + arb(float(c[i, j])) for j, s in score.items()}
            top = max((s.mid() for s in score.values()), default=arb(0))
            weight = {j: (s - top).exp() for j, s in score.items()}
            total = sum(weight.values(), arb(0))
            P = {j: w / total for j, w in weight.items()}
            mu = sum((P[j] * y[j] for j in seen), 0 * y[0])
            outputs[i].append(mu + (matrix(layer.value_bias[h]).transpose() if seen else 0 * mu))
            kappa = sum((P[j] * k[j] for j in seen), 0 * k[0])
            b = (scale * K.transpose()) * q[i]
            covariance = arb_mat(V.nrows(), Q.nrows())
            for j in seen:
                covariance += (P[j] * (y[j] - mu)) * (k[j] - kappa).transpose()
            for j in range(n):
                block = arb_mat(V.nrows(), d)
                if j in P:
                    block += P[j] * (V + (y[j] - mu) * b.transpose())
                if i == j:
                    block += scale * covariance * Q
                rows[i][j].append(block)
    joined = [[_joined(layer, heads) for heads in row] for row in rows]
    sums = [_joined(layer, heads) for heads in outputs]
    if layer.output_bias is not None:
        sums = [total + matrix(layer.output_bias).transpose() for total in sums]
    return joined, sums


def _joined(layer: AttentionLayer, heads: list[arb_mat]) -> arb_mat:
    stacked = arb_mat([row for head in heads for row in head.tolist()])
    if layer.output_weight is None:
        return stacked
    return matrix(layer.output_weight.reshape(len(layer.output_weight), -1)) * stacked


def norm_below(layer: AttentionLayer, X: Array) -> float:
    """|J u| / |u| for the leading singular vector u that LAPACK finds, enclosed to 200 digits and rounded down.

    The quotient is off from the norm by the square of the error in u, about 1e-30 relative.
    """
    old, ctx.prec = ctx.prec, BITS
    try:
        return quotient_below(exact_jacobian(layer, X))
    finally:
        ctx.prec = old


def quotient_below(blocks: list[list[arb_mat]]) -> float:
    """The same for a Jacobian given by its blocks; call with ctx.prec = BITS."""
    J = arb_mat([[x for block in row for x in block] for blocks_i in blocks for row in _rows(blocks_i)])
    mid = np.array([[float(x.mid()) for x in row] for row in J.tolist()])
    u = np.linalg.svd(mid)[2][0]
    direction = matrix(u).transpose()
    image = J * direction
    ratio = _norm(image) / _norm(direction) if mid.any() else arb(0)
    return float(np.nextafter(float(ratio.lower()), 0.0))


def _rows(blocks: list[arb_mat]) -> list[tuple[list[arb], ...]]:
    """The rows of blocks that stand side by side, each still cut into blocks."""
    return list(zip(*(block.tolist() for block in blocks), strict=True))


def _norm(column: arb_mat) -> arb:
    return (column.transpose() * column)[0, 0].sqrt()
