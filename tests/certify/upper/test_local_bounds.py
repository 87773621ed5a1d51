"""The local upper bounds against Jacobians that were formed entry by entry: never below, and not much above."""

import numpy as np
import pytest

from certify.attention_layer import AttentionLayer
from certify.chebyshev.chance import Chance
from certify.derivation import derive
from certify.lower.lanczos import witness
from certify.outcome import Bound
from certify.schur_weights import choose_weights
from certify.situation import Situation
from certify.token_blocks import seen_blocks
from certify.upper import methods
from certify.upper.local_schur import row_eigenvalues, schur_column
from tests.certify.layers import causal, dense_jacobian, random_layer

CHANCE = Chance(1e-12, 0)
LOCAL = [m for m in methods() if m.domain in ("point", "ball")]


def hostile_inputs(d: int, n: int, seed: int):
    """Tokens of every kind: random, equal, one-hot, antipodal, two clusters, huge, tiny, zero."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(d)
    two = np.where(np.arange(n)[:, None] < n // 2, 2 * x, -1.5 * x)
    yield "random", rng.standard_normal((n, d))
    yield "equal", np.tile(x, (n, 1))
    yield "one-hot", np.eye(max(n, d))[:n, :d] * 3
    yield "antipodal", np.where(np.arange(n)[:, None] % 2 == 0, x, -x)
    yield "two clusters", two
    yield "huge", 30 * rng.standard_normal((n, d))
    yield "tiny", 1e-150 * rng.standard_normal((n, d))
    yield "zero", np.zeros((n, d))
    yield "wide range", rng.standard_normal((n, d)) * 10.0 ** rng.integers(-6, 3, (n, d))


def layers():
    yield random_layer(0, heads=1, output=False)
    yield random_layer(1, heads=1, output=False, gain=5.0)
    yield random_layer(2, heads=1, output=False, k=1, v=1, d=1)
    yield random_layer(3, heads=1, output=False, k=2, v=6, d=3)
    yield random_layer(4, heads=1, output=False, gain=0.0)


def local_bound(method, situation: Situation) -> Bound | None:
    bound = derive(method.theorem, method.domain, situation.layer, lambda: method.enclosed(situation)).bound
    return bound if isinstance(bound, Bound) else None


def check(layer: AttentionLayer, X: np.ndarray, method) -> bool:
    """Whether there is a bound; fails if it lies below the Jacobian."""
    exact = np.linalg.norm(dense_jacobian(layer, X), 2)
    bound = local_bound(method, Situation(layer, X, chance=CHANCE))
    if bound is None:
        return False
    assert exact <= bound.value * (1 + 1e-9) + 1e-300
    return True


@pytest.mark.parametrize("method", LOCAL, ids=lambda m: m.theorem)
def test_no_local_bound_lies_below_a_jacobian(method) -> None:
    given = 0
    for layer in layers():
        for n in (1, 2, 5):
            for _, X in hostile_inputs(layer.width, n, seed=n):
                given += check(layer, X, method)
    assert given >= 60  # a method that answers "no bound" everywhere would prove nothing here


@pytest.mark.parametrize("method", [m for m in LOCAL if m.domain == "point"], ids=lambda m: m.theorem)
def test_masked_rows_and_score_biases_are_covered(method) -> None:
    n = 5
    rng = np.random.default_rng(8)
    blind = causal(n)
    blind[2] = -np.inf
    for score_bias in (causal(n), blind, rng.standard_normal((n, n)), np.full((n, n), -np.inf)):
        layer = random_layer(9, heads=1, output=False, score_bias=score_bias)
        for _, X in hostile_inputs(layer.width, n, seed=3):
            assert check(layer, X, method)


@pytest.mark.slow
@pytest.mark.parametrize("method", LOCAL, ids=lambda m: m.theorem)
def test_thousands_of_random_layers(method) -> None:
    rng = np.random.default_rng(2024)
    for trial in range(1500):
        n, d, k, v = (int(x) for x in rng.integers(1, 7, 4))
        layer = random_layer(trial, heads=1, output=False, k=k, v=v, d=d, gain=float(10 ** rng.uniform(-2, 1.2)))
        X = rng.standard_normal((n, d)) * 10 ** rng.uniform(-2, 1.5)
        check(layer, X, method)


def test_any_positive_weights_prove_a_schur_bound() -> None:
    layer = random_layer(5, heads=1, output=False, gain=2.0)
    rng = np.random.default_rng(1)
    X = rng.standard_normal((6, layer.width))
    blocks = Situation(layer, X).blocks
    exact = np.linalg.norm(dense_jacobian(layer, X), 2)
    for _ in range(50):
        r = 10 ** rng.uniform(-2, 2, (6, 6))
        assert exact <= np.sqrt(schur_column(row_eigenvalues(blocks.rows, r), r)) * (1 + 1e-9)


def test_chosen_weights_are_near_the_exact_norm_and_better_than_the_attention_weights() -> None:
    layer = random_layer(6, heads=1, output=False, k=4, v=4, d=8, gain=2.0)
    X = np.random.default_rng(2).standard_normal((12, 8))
    situation = Situation(layer, X)
    exact = np.linalg.norm(dense_jacobian(layer, X), 2)
    by_id = {m.theorem: local_bound(m, situation) for m in LOCAL}
    schur, covariance = by_id["local-schur"], by_id["local-covariance"]
    assert schur is not None
    assert covariance is not None
    assert exact <= schur.value <= 2 * exact
    assert schur.value <= covariance.value


def test_dropping_the_diagonal_block_is_caught() -> None:
    """The attack above would notice: without the covariance term the test is no bound."""
    layer = random_layer(1, heads=1, output=False, gain=5.0)
    X = np.array([[0.3, 0.1, 0.2, -0.4, 0.5]] * 1 + [[1.0, -1.0, 0.5, 0.2, 0.1]])
    blocks = Situation(layer, X).blocks
    r = choose_weights(blocks.midpoints, seen_blocks(blocks.activations))
    crippled = blocks.rows.__class__(**{**vars(blocks.rows), "diagonal": blocks.rows.diagonal * 0.0})
    exact = np.linalg.norm(dense_jacobian(layer, X), 2)
    assert np.sqrt(schur_column(row_eigenvalues(crippled, r), r)) < exact


def test_the_witness_is_below_and_close() -> None:
    for layer in layers():
        for n in (1, 2, 5):
            for name, X in hostile_inputs(layer.width, n, seed=n):
                situation = Situation(layer, X)
                exact = np.linalg.norm(dense_jacobian(layer, X), 2)
                found = witness(situation.activations).bound.value
                assert found <= exact * (1 + 1e-9)
                if name not in ("huge", "wide range") and exact > 1e-200:  # saturated there: wide enclosures
                    assert found >= exact * (1 - 1e-6)
