"""The Jacobian of a small sublayer to 200 digits, put together from blocks by the product rule."""

from flint import arb, arb_mat, ctx

from certify.attention_layer import Array
from certify.sublayer.sublayer import Sublayer
from certify.sublayer.token_norm import TokenNorm
from tests.certify.gram.exact_jacobian import BITS, exact_blocks, matrix, quotient_below


def norm_below(sublayer: Sublayer, X: Array) -> float:
    """A number below the spectral norm of the Jacobian, relatively by about 1e-30."""
    old, ctx.prec = ctx.prec, BITS
    try:
        return quotient_below(exact_sublayer(sublayer, X))
    finally:
        ctx.prec = old


def exact_sublayer(sublayer: Sublayer, X: Array) -> list[list[arb_mat]]:
    """Blocks (i, j) of shape (d, d); call with ctx.prec = BITS."""
    tokens = [matrix(x).transpose() for x in X]
    n, d = X.shape
    identity = arb_mat([[arb(int(a == b)) for b in range(d)] for a in range(d)])
    if sublayer.before is None:
        blocks, outputs = exact_blocks(sublayer.attention, tokens)
    else:
        pairs = [normalised(sublayer.before, x) for x in tokens]
        inner, outputs = exact_blocks(sublayer.attention, [y for y, _ in pairs])
        blocks = [[inner[i][j] * pairs[j][1] for j in range(n)] for i in range(n)]
    total = [[blocks[i][j] + identity if i == j else blocks[i][j] for j in range(n)] for i in range(n)]
    if sublayer.after is None:
        return total
    after = [normalised(sublayer.after, x + y)[1] for x, y in zip(tokens, outputs, strict=True)]
    return [[after[i] * total[i][j] for j in range(n)] for i in range(n)]


def normalised(norm: TokenNorm, x: arb_mat) -> tuple[arb_mat, arb_mat]:
    """The output (d, 1) and the Jacobian (d, d) at one token, entry by entry."""
    d, entries = norm.width, [row[0] for row in x.tolist()]
    mean = sum(entries, arb(0)) / d if norm.centred else arb(0)
    y = [entry - mean for entry in entries]
    sigma = (sum((entry * entry for entry in y), arb(0)) / d + arb(norm.eps)).sqrt()
    gamma, beta = [arb(float(g)) for g in norm.gamma], [arb(float(b)) for b in norm.beta]
    share = arb(1) / d if norm.centred else arb(0)
    jacobian = [
        [
            gamma[a] / sigma * (int(a == b) - share) - gamma[a] * y[a] * y[b] / (d * sigma * sigma * sigma)
            for b in range(d)
        ]
        for a in range(d)
    ]
    return arb_mat([[g * entry / sigma + b] for g, entry, b in zip(gamma, y, beta, strict=True)]), arb_mat(jacobian)
