"""Rotary and cross-attention: never below a norm known to 100 digits, close to it, and torch's Jacobian."""

from dataclasses import replace

import numpy as np
import pytest

from certify.arithmetic.matrices import BallMatrix
from certify.attention_layer import Array
from certify.errors import InputError, ModelError, NoEnclosure
from certify.explicit import explicit_map as module
from certify.explicit.attention_pair import AttentionPair
from certify.explicit.explicit_map import ExplicitMap
from certify.explicit.rotary import Layout, Rotary
from certify.explicit.written_out import Inputs, cross_attention_map, require_rotary, self_attention_map
from certify.sublayer.sublayer import KINDS, Kind
from tests.certify.explicit.exact_map import around, cross, norm_below
from tests.certify.explicit.small_pairs import THETA, angles_of, ends, random_pair, stored_table
from tests.certify.layers import causal
from tests.certify.refusal import refused
from tests.certify.sublayer.small_cases import TOKENS, hostile_tokens, random_norm

torch = pytest.importorskip("torch")


def assert_tight(J: ExplicitMap, truth: float) -> None:
    deflated, dense, low = ends(J)
    assert min(deflated, dense) >= truth
    assert low <= truth * (1 + 1e-12) + 1e-300
    if J.distance <= 1e-9 * truth:
        assert deflated <= truth * (1 + 1e-6)
        assert dense <= truth * (1 + 1e-6)
        assert low >= truth * (1 - 1e-6)


@pytest.mark.parametrize("word", TOKENS)
@pytest.mark.parametrize("true_angles", [True, False])
def test_rotary_is_never_below_the_norm(word: str, true_angles: bool) -> None:
    layouts: tuple[Layout, ...] = ("half", "interleaved")
    for seed, layout in enumerate(layouts):
        rng = np.random.default_rng(seed)
        table = Rotary.of_angles(3, 4, THETA, layout) if true_angles else stored_table(3, 4, layout)
        mask = causal(3) if seed else None
        pair = random_pair(seed, rotary=table, gain=(1.0, 3.0)[seed], score_bias=mask, output=seed == 0)
        X = hostile_tokens(rng, word, 3, 5)
        f = around(pair, None, None, angles_of(4) if true_angles else None)
        assert_tight(self_attention_map(pair, X), norm_below(f, list(X)))


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_rotary_blocks(kind: Kind, centred: bool) -> None:
    rng = np.random.default_rng(4)
    pair = random_pair(4, rotary=Rotary.of_angles(3, 2, THETA))
    norm = None if kind == "residual" else random_norm(rng, 5, centred)
    X = rng.standard_normal((3, 5))
    f = around(pair, kind, norm, angles_of(2))
    J = self_attention_map(pair, X, kind, norm)
    assert 0.0 < J.distance < 1e-10
    assert_tight(J, norm_below(f, list(X)))


@pytest.mark.parametrize("word", TOKENS)
@pytest.mark.parametrize("inputs", ["x", "y", "pair"])
def test_cross_attention_is_never_below_the_norm(inputs, word: str) -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        mask = np.where(rng.random((3, 4)) < 0.3, -np.inf, 0.5) if seed else None
        pair = random_pair(seed, d=4, d_y=3, d_out=6, gain=(1.0, 10.0)[seed], score_bias=mask)
        X, Y = hostile_tokens(rng, word, 3, 4), hostile_tokens(rng, word, 4, 3)
        moved = {"x": range(3), "y": range(3, 7), "pair": range(7)}[inputs]
        truth = norm_below(cross(pair, 3), [*X, *Y], moved)
        assert_tight(cross_attention_map(pair, X, Y, inputs), truth)


def test_without_rotations_it_is_the_layer() -> None:
    from tests.certify.layers import dense_jacobian, random_layer

    layer, X = random_layer(3), np.random.default_rng(3).standard_normal((4, 5))
    J = self_attention_map(AttentionPair.of_layer(layer), X)
    assert J.matrix.reshape(20, 20) == pytest.approx(dense_jacobian(layer, X), abs=1e-12)


def torch_rotated(x, table: Rotary):
    """The code of a model: cos and sin doubled, and the halves or the neighbours exchanged."""
    cos, sin = (torch.tensor(t.mid[: x.shape[-2]]) for t in (table.cos, table.sin))
    if table.layout == "half":
        a, b = x.chunk(2, -1)
        return x * torch.cat([cos, cos], -1) + torch.cat([-b, a], -1) * torch.cat([sin, sin], -1)
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous()) * torch.complex(cos, sin)
    return torch.view_as_real(z).reshape(x.shape)


def torch_attention(pair: AttentionPair, X, Y):
    def project(rows, weight, bias):
        return torch.einsum("hkd,nd->hnk", torch.tensor(weight), rows) + torch.tensor(bias)[:, None]

    q = project(X, pair.query_weight, pair.query_bias)
    k = project(Y, pair.key_weight, pair.key_bias)
    v = project(Y, pair.value_weight, pair.value_bias)
    if pair.rotary is not None:
        q, k = torch_rotated(q, pair.rotary), torch_rotated(k, pair.rotary)
    mask = None if pair.score_bias is None else torch.tensor(pair.score_bias)
    o = torch.nn.functional.scaled_dot_product_attention(q, k, v, mask, scale=float(pair.scale_squared) ** 0.5)
    assert pair.output_weight is not None
    return torch.einsum("ahv,hnv->na", torch.tensor(pair.output_weight), o) + torch.tensor(pair.output_bias)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_rotary_is_torchs(layout: Layout) -> None:
    rng = np.random.default_rng(0)
    pair = random_pair(0, rotary=Rotary.of_angles(4, 4, THETA, layout), score_bias=causal(4))
    X = rng.standard_normal((4, 5))
    assert pair.forward(X, X) == pytest.approx(torch_attention(pair, *2 * [torch.tensor(X)]).numpy(), abs=1e-12)
    J = torch.autograd.functional.jacobian(lambda x: torch_attention(pair, x, x), torch.tensor(X))
    assert self_attention_map(pair, X).matrix == pytest.approx(J.numpy().reshape(4, 5, 20), abs=1e-11)


def test_cross_attention_is_torchs() -> None:
    rng = np.random.default_rng(1)
    pair = random_pair(1, d=4, d_y=3, d_out=6)
    X, Y = rng.standard_normal((3, 4)), rng.standard_normal((5, 3))
    x, y = torch.tensor(X), torch.tensor(Y)
    assert pair.forward(X, Y) == pytest.approx(torch_attention(pair, x, y).numpy(), abs=1e-12)
    J_x, J_y = torch.autograd.functional.jacobian(lambda x, y: torch_attention(pair, x, y), (x, y))
    J_x, J_y = J_x.numpy().reshape(3, 6, 12), J_y.numpy().reshape(3, 6, 15)
    found: dict[Inputs, Array] = {"x": J_x, "y": J_y, "pair": np.concatenate([J_x, J_y], 2)}
    for inputs, J in found.items():
        assert cross_attention_map(pair, X, Y, inputs).matrix == pytest.approx(J, abs=1e-11)


def test_a_slip_in_the_rotation_is_found() -> None:
    """Other positions, another theta, the other layout, no key bias or no rotation at all are other norms."""
    X = 2.0 * np.random.default_rng(5).standard_normal((3, 5))
    pair = random_pair(5, gain=2.0, rotary=Rotary.of_angles(3, 4, THETA))
    true, _, _ = ends(self_attention_map(pair, X))
    slips = {
        "theta": replace(pair, rotary=Rotary.of_angles(3, 4, 2 * THETA)),
        "layout": replace(pair, rotary=Rotary.of_angles(3, 4, THETA, "interleaved")),
        "no rotation": replace(pair, rotary=None),
        "no key bias": replace(pair, key_bias=0 * pair.key_bias),
        "scale": replace(pair, scale_squared=pair.scale_squared / 2),
    }
    for name, slip in slips.items():
        other, _, _ = ends(self_attention_map(slip, X))
        assert abs(other - true) > 1e-4 * true, name
    shifted, _, _ = ends(self_attention_map(replace(pair, rotary=Rotary.of_angles(3, 4, THETA, first=7)), X))
    assert shifted == pytest.approx(true, rel=1e-10)  # scores depend on differences of positions only


def test_the_true_cosines_are_enclosed() -> None:
    from flint import arb, ctx

    table, old = Rotary.of_angles(50, 6, 10_000.0, first=1000), ctx.prec
    ctx.prec = 300
    try:
        for p in range(0, 50, 7):
            for pair in range(3):
                angle = angles_of(6, 10_000.0, first=1000)(p, pair)
                for ball, true in ((table.cos, angle.cos()), (table.sin, angle.sin())):
                    assert bool(abs(true - arb(float(ball.mid[p, pair]))) <= arb(float(ball.rad[p, pair])))
    finally:
        ctx.prec = old
    assert table.cos.rad.max() < 1e-15
    turned = table.turned(BallMatrix.exact(np.ones((2, 50, 6))))
    assert np.square(turned.mid).sum(-1) == pytest.approx(6.0)
    assert table.turned_back(turned).mid == pytest.approx(np.ones((2, 50, 6)))


def test_a_part_of_a_head_may_be_rotated() -> None:
    rng = np.random.default_rng(2)
    pair = random_pair(2, rotary=Rotary.of_angles(3, 2, THETA))
    X = rng.standard_normal((3, 5))
    assert_tight(self_attention_map(pair, X), norm_below(around(pair, None, None, angles_of(2)), list(X)))


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, X = random_pair(0), np.ones((3, 5))
    with refused(ModelError, "6 entries of a head are to be rotated, it has 4"):
        replace(pair, rotary=Rotary.of_angles(3, 6))
    with refused(ModelError, "the layout of rotary positions is half or interleaved, not 'quarter'"):
        Rotary.of_angles(3, 4, layout="quarter")  # type: ignore[arg-type]
    with refused(ModelError, "no rotary positions of 3 tokens, size 3 (an even one) and theta 10000.0"):
        Rotary.of_angles(3, 3)
    message = "the cosines and sines of rotary positions have one shape (positions, pairs), not (2, 2) and (3, 2)"
    with refused(ModelError, message):
        Rotary.stored(np.ones((2, 2)), np.ones((3, 2)))
    with refused(ModelError, "the cosines and sines of rotary positions are finite, these hold nan or infinity"):
        Rotary.stored(np.full((2, 2), np.nan), np.ones((2, 2)))
    with refused(InputError, "X has 3 tokens, the rotary table 2 positions"):
        replace(pair, rotary=Rotary.of_angles(2, 4)).check(X, X)
    with refused(InputError, "X is float64 of shape (3, 4): expected float64 of shape (n, 5), n >= 1"):
        pair.check(np.ones((3, 4)), X)
    with refused(InputError, "Y holds nan or infinity: every entry must be finite"):
        pair.check(X, np.full((3, 5), np.nan))
    with refused(InputError, "the score bias is for (2, 2) tokens, not (3, 3)"):
        replace(pair, score_bias=np.zeros((2, 2))).check(X, X)
    with refused(InputError, "the Jacobian is taken in x, in y or in the pair of both, not in 'z'"):
        cross_attention_map(pair, X, X, "z")  # type: ignore[arg-type]
    with refused(ModelError, "key_bias is float64 of shape (2, 3): expected float64 of shape (2, 4)"):
        replace(pair, key_bias=np.zeros((2, 3)))
    with refused(ModelError, "value_bias holds nan or infinity: every weight must be finite"):
        replace(pair, value_bias=np.full((2, 2), np.inf))
    with refused(ModelError, "keys read tokens of size 3, queries of size 4: no self-attention"):
        require_rotary(random_pair(0, d=4, d_y=3))
    with monkeypatch.context() as patch:
        patch.setattr(module, "available_bytes", lambda: 1e8)
        figures = "takes about 0.15 GB of memory, 0.10 GB are available"
        message = f"this map's Jacobian, written out, {figures}: ask for fewer tokens"
        with refused(InputError, message):
            self_attention_map(pair, X)
    monkeypatch.setattr(module, "LARGEST", 100)
    message = (
        "this map's Jacobian is written out, 15 outputs times 15 inputs: at most 100 entries are taken, ask for fewer "
        "tokens"
    )
    with refused(InputError, message):
        self_attention_map(pair, X)


def test_an_overflow_is_named() -> None:
    X: Array = 1e180 * np.random.default_rng(0).standard_normal((3, 5))
    with pytest.raises(NoEnclosure, match=r"^the Jacobian of output 0 overflows or exceeds 2\^200: no bound$"):
        self_attention_map(random_pair(0, rotary=Rotary.of_angles(3, 4)), X)
