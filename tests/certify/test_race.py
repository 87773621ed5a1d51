"""Every candidate of every theorem, for heads and whole layers, against norms known to 200 digits."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from certify.activations import Activations
from certify.all_heads import all_heads
from certify.chebyshev.chance import Chance
from certify.lower.lanczos import witness
from certify.outcome import Bound, NoBound
from certify.progress import SILENT
from certify.race import Raced, race_head, race_layer
from tests.certify.gram.exact_jacobian import norm_below
from tests.certify.gram.test_deflation import small_case


def check(raced: Raced, exact: float, seed: int) -> int:
    """Every upper bound is at least the norm, the witness at most; how many bounds there were."""
    bounds = [c.bound for c in (*raced.candidates, *raced.image_candidates) if isinstance(c.bound, Bound)]
    for bound in bounds:
        assert bound.value >= exact, (seed, raced.place, bound, exact)
    assert raced.witness.bound.value <= exact * (1 + 1e-14) + 1e-300, (seed, raced.place)
    return len(bounds)


def attack(seeds: range) -> None:
    found = 0
    with ThreadPoolExecutor(1) as pool:
        for seed in seeds:
            layer, X = small_case(seed)
            heads = [race_head(layer, h, X, None, "tight") for h in range(layer.heads)]
            for h, raced in enumerate(heads):
                found += check(raced, norm_below(layer.head(h), X), seed)
            witnessed = witness(Activations(layer, X))
            whole = race_layer(layer, heads, witnessed, all_heads(layer, X, "tight", pool, SILENT, witnessed))
            found += check(whole, norm_below(layer, X), seed)
    assert found > 10 * len(seeds)


def test_small_layers() -> None:
    attack(range(60))


@pytest.mark.slow
def test_four_hundred_small_layers() -> None:
    attack(range(30_000, 30_400))


def test_a_probable_bound_stands_beside_the_proved_ones_and_in_none_of_them() -> None:
    chance = Chance(1e-12, 7)
    with ThreadPoolExecutor(2) as pool:
        for seed in range(40):
            layer, X = small_case(seed)
            heads = [race_head(layer, h, X, None, "probable", chance) for h in range(layer.heads)]
            witnessed = witness(Activations(layer, X))
            jointly = all_heads(layer, X, "probable", pool, SILENT, witnessed, chance)
            whole = race_layer(layer, heads, witnessed, jointly)
            for raced, subject in [(whole, layer), *((raced, layer.head(h)) for h, raced in enumerate(heads))]:
                check(raced, norm_below(subject, X), seed)
                words = {c.theorem: c.bound.guarantee for c in raced.candidates if isinstance(c.bound, Bound)}
                assert words.pop("local-chebyshev", "probable") == "probable"
                assert set(words.values()) <= {"proved"}
            cites = [cite for c in whole.candidates for cite in c.cites]
            assert bool(cites) == (layer.output_weight is not None)
            assert not any("chebyshev" in cite for cite in cites)


def test_no_random_bound_without_a_failure_probability() -> None:
    layer, X = small_case(1)
    raced = race_head(layer, 0, X, None, "probable")
    (found,) = [c.bound for c in raced.candidates if c.theorem == "local-chebyshev"]
    assert found == NoBound("upper", "local-chebyshev", "no failure probability was given: no random bound")


def test_the_image_of_a_layernorm_holds_its_points() -> None:
    """The global bound of a head is above its norm at random points of the image."""
    from certify.domains import LayerNormImage

    rng = np.random.default_rng(0)
    for seed in range(20):
        layer, _ = small_case(seed)
        d = layer.width
        if d < 2 or layer.score_bias is not None:
            continue
        image = LayerNormImage(rng.standard_normal(d), rng.standard_normal(d), 1e-12)
        z = rng.standard_normal((3, d))
        z -= z.mean(1, keepdims=True)
        z *= np.sqrt(d) / np.linalg.norm(z, axis=1, keepdims=True) * (1 - 1e-9)
        X = z * image.gamma + image.beta
        raced = race_head(layer, 0, X, image, "fast")
        assert raced.image_winner is not None
        check(raced, norm_below(layer.head(0), X), seed)
