"""|W_O M_i W_O^T| <= lam is proved down to the norm itself, whatever the shape and the rank of W_O, and never below."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from certify.checker.exact import exact
from certify.checker.joint_bound import QUICK, SHARP, Attempt, JointBound
from certify.checker.reproof import Reproof

from .small import Model, certificate
from .test_joint_rows import stacked_blocks

Array = np.ndarray
MODEL = Model(seed=5, n=3, d=5, heads=2, k=3)


def outputs() -> dict[str, Array]:
    rng = np.random.default_rng(6)
    square, size = rng.standard_normal((6, 6)), MODEL.heads * MODEL.k
    steep = np.linalg.qr(square)[0] @ np.diag(10.0 ** -np.arange(6.0)) @ np.linalg.qr(square.T)[0]
    return {
        "square": square,
        "tall": rng.standard_normal((9, size)),
        "wide": rng.standard_normal((2, size)),
        "ill-conditioned": steep,
        "singular": np.outer(square[0], square[1]),
        "huge": square * 2.0**60,
        "tiny": square * 2.0**-60,
    }


@pytest.fixture(scope="module")
def reproof(tmp_path_factory: pytest.TempPathFactory) -> Reproof:
    folder = tmp_path_factory.mktemp("joint")
    MODEL.save(folder)
    return Reproof(certificate(MODEL), MODEL.tokens.tolist(), folder)


def norm(W: Array, i: int, r: Array) -> float:
    T = W @ stacked_blocks(MODEL)[i]
    return float(np.linalg.eigvalsh(np.einsum("jvd,jwd,j->vw", T, T, r**2))[-1])


@pytest.mark.parametrize("name", outputs())
def test_sharp_for_every_output_weight(reproof: Reproof, name: str) -> None:
    W = outputs()[name]
    joint = JointBound(reproof.heads, exact(W.tolist()))
    for i in range(MODEL.n):
        r = np.exp2(np.random.default_rng(i).integers(-3, 4, MODEL.n)).astype(float)
        true, factors = norm(W, i, r), [Fraction(x) for x in r]
        assert joint.eigenvalue_at_most(i, factors, Fraction(true * (1 + 1e-9)))
        assert not joint.eigenvalue_at_most(i, factors, Fraction(true * (1 - 1e-9)))
        assert not joint.eigenvalue_at_most(i, factors, Fraction(true / 2))
        assert not joint.eigenvalue_at_most(i, factors, Fraction(0))


def test_without_an_output_weight_the_heads_stand_side_by_side(reproof: Reproof) -> None:
    r = np.ones(MODEL.n)
    true, joint = norm(np.eye(6), 0, r), JointBound(reproof.heads, None)
    assert joint.eigenvalue_at_most(0, [Fraction(1)] * MODEL.n, Fraction(true * (1 + 1e-9)))
    assert not joint.eigenvalue_at_most(0, [Fraction(1)] * MODEL.n, Fraction(true * (1 - 1e-9)))


def test_the_quick_attempt_needs_a_margin_the_sharp_one_does_not(reproof: Reproof) -> None:
    W, r = outputs()["square"], np.ones(MODEL.n)
    true, gram = norm(W, 0, r), exact(W.tolist()).T.gram()
    quick, sharp = (Attempt(reproof.heads, gram, precision) for precision in (QUICK, SHARP))
    ones = [Fraction(1)] * MODEL.n
    assert quick.eigenvalue_at_most(0, ones, Fraction(true * (1 + 1e-5)))
    assert not quick.eigenvalue_at_most(0, ones, Fraction(true * (1 + 1e-12)))
    assert sharp.eigenvalue_at_most(0, ones, Fraction(true * (1 + 1e-12)))


def test_a_zero_output_weight_proves_nothing_and_breaks_nothing(reproof: Reproof) -> None:
    joint = JointBound(reproof.heads, exact(np.zeros((4, 6)).tolist()))
    assert not joint.eigenvalue_at_most(0, [Fraction(1)] * MODEL.n, Fraction(0))


def test_scaling_a_row_changes_nothing(reproof: Reproof) -> None:
    W, r = outputs()["square"], np.ones(MODEL.n)
    true, joint = norm(W, 0, r), JointBound(reproof.heads, exact(W.tolist()))
    for exponent in (-100, -3, 40, 100):
        factors = [Fraction(2) ** exponent] * MODEL.n
        for slack in (1 + 1e-9, 1 - 1e-9):
            lam = Fraction(true * slack) * Fraction(4) ** exponent
            assert joint.eigenvalue_at_most(0, factors, lam) == (slack > 1)


def test_the_certificate_names_the_token(tmp_path: Path) -> None:
    from .mutate import forged, refusal, set_at

    data = certificate(MODEL)
    MODEL.save(tmp_path)
    lam = data["proof"]["hints"]["layer/point/local-schur"]["lam"]
    path = ("proof", "hints", "layer/point/local-schur", "lam", 1)
    lowered = forged(data, set_at(path, (float.fromhex(lam[1]) * (1 - 1e-9)).hex()))
    assert refusal(lowered, tmp_path) is None
    refused = refusal(lowered, tmp_path, tmp_path)
    assert refused is not None
    assert refused.place == "proof.hints.layer/point/local-schur.lam[1]"
