"""The enclosed normalisation holds the truth to 200 digits and is narrow; where it has no derivative it says so."""

import numpy as np
import pytest
from flint import arb, ctx

from certify.arithmetic.matrices import BallMatrix
from certify.errors import ModelError, NoEnclosure
from certify.sublayer.norm_at_tokens import NormAtTokens
from certify.sublayer.token_norm import NormProducts, TokenNorm
from tests.certify.gram.exact_jacobian import BITS, matrix
from tests.certify.refusal import refused
from tests.certify.sublayer.exact_sublayer import normalised
from tests.certify.sublayer.small_cases import TOKENS, hostile_tokens, random_norm


def holds(ball: BallMatrix, truth: list[list[arb]]) -> bool:
    """Whether every true number is proved to lie in its ball."""
    return all(
        bool(abs(x - arb(float(mid))) <= arb(float(rad)))
        for xs, mids, rads in zip(truth, ball.mid, ball.rad, strict=True)
        for x, mid, rad in zip(xs, mids, rads, strict=True)
    )


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("word", TOKENS)
def test_output_jacobian_and_products(word: str, centred: bool) -> None:
    rng = np.random.default_rng(len(word))
    n, d = 3, 5
    norm = random_norm(rng, d, centred)
    X, E = hostile_tokens(rng, word, n, d), rng.standard_normal((n, d))
    at = NormAtTokens(norm, BallMatrix.exact(X))
    image = at.jvp(BallMatrix.exact(E))
    old, ctx.prec = ctx.prec, BITS
    try:
        for i in range(n):
            output, jacobian = normalised(norm, matrix(X[i]).transpose())
            assert holds(at.output[i][None], output.transpose().tolist())
            assert holds(at.jacobian[i], jacobian.tolist())
            assert holds(image[i][None], (jacobian * matrix(E[i]).transpose()).transpose().tolist())
    finally:
        ctx.prec = old
    if word != "shifted":  # there 20 of 53 bits go with the mean
        assert at.jacobian.rad.max() <= 1e-12 * np.abs(at.jacobian.mid).max()
    products = NormProducts(norm, X)
    assert products.jvp(E) == pytest.approx(image.mid, rel=1e-6, abs=1e-6 * np.abs(image.mid).max())
    G = rng.standard_normal((n, d))
    assert (products.vjp(G) * E).sum() == pytest.approx((G * products.jvp(E)).sum(), rel=1e-9)
    assert norm.forward(X) == pytest.approx(at.output.mid, rel=1e-6, abs=1e-6)


def test_a_smaller_eps_would_not_fit() -> None:
    """The statistics are narrow enough to tell one eps from the next."""
    norm = TokenNorm(np.ones(4), np.zeros(4), 1e-5)
    other = TokenNorm(np.ones(4), np.zeros(4), 1.0001e-5)
    X = BallMatrix.exact(np.random.default_rng(0).standard_normal((1, 4)))
    a, b = NormAtTokens(norm, X).inverse, NormAtTokens(other, X).inverse
    assert abs(a.mid - b.mid)[0] > a.rad[0] + b.rad[0]


def test_no_variance_and_no_eps() -> None:
    at = NormAtTokens(TokenNorm(np.ones(3), np.zeros(3), 0.0), BallMatrix.exact(np.ones((2, 3))))
    with pytest.raises(
        NoEnclosure, match=r"^the LayerNorm may have no derivative: token 0 may vary by 0, and eps is 0.0$"
    ):
        _ = at.jacobian


def test_an_overflow() -> None:
    X = np.ones((2, 3))
    X[1, 0] = 1e200
    at = NormAtTokens(TokenNorm(np.ones(3), np.zeros(3), 1e-5, centred=False), BallMatrix.exact(X))
    with pytest.raises(NoEnclosure, match=r"^the mean square of token 1 in the RMSNorm overflows"):
        _ = at.output


def test_what_is_no_norm() -> None:
    one = np.ones(3)
    with refused(ModelError, "a LayerNorm has weight and bias of one shape (d,), not (3,) and (2,)"):
        TokenNorm(one, np.ones(2), 0.0)
    with refused(ModelError, "a RMSNorm has a finite weight and bias, this one holds nan or infinity"):
        TokenNorm(np.nan * one, one, 0.0, centred=False)
    for eps in (-1.0, np.nan, np.inf):
        with refused(ModelError, f"the eps of a LayerNorm is a finite number at least 0, not {eps}"):
            TokenNorm(one, one, eps)
