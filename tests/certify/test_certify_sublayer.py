"""`certify.layer(..., block=...)`: what it takes, what it says, and every refusal."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certify
from certify.certificate import digest
from certify.cli import main
from certify.errors import CertificateError, InputError, ModelError, NoEnclosure, UnsupportedModelError
from certify.layer_certificate import LayerCertificate
from certify.outcome import Bound, Guarantee, NoBound
from certify.rerun import rerun
from certify.sublayer.sublayer import KINDS, Kind
from tests.certify.refusal import refused
from tests.certify.tiny_bert import TEXT, write_bert

torch = pytest.importorskip("torch")


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return write_bert(tmp_path / "bert")


def attention(d: int = 6, heads: int = 2) -> Any:
    torch.manual_seed(1)
    return torch.nn.MultiheadAttention(d, heads, batch_first=True).double()


def norms(d: int = 6) -> dict[str, Any]:
    torch.manual_seed(2)
    found = {"layernorm": torch.nn.LayerNorm(d).double(), "rmsnorm": torch.nn.RMSNorm(d, eps=1e-6).double()}
    for norm in found.values():
        torch.nn.init.normal_(norm.weight)
    torch.nn.init.normal_(found["layernorm"].bias)
    return found


def torch_norm(kind: Kind, norm: Any, X: np.ndarray) -> float:
    """The largest singular value of the block's Jacobian by autograd."""
    f = attention()

    def block(x):
        y = norm(x) if kind == "pre-norm" else x
        total = x + f(y[None], y[None], y[None], need_weights=False)[0][0]
        return norm(total) if kind == "post-norm" else total

    J = torch.autograd.functional.jacobian(block, torch.tensor(X)).reshape(X.size, X.size)
    return float(torch.linalg.matrix_norm(J, 2))


def assert_encloses(found: LayerCertificate, norm: float) -> None:
    assert isinstance(found.upper, Bound)
    assert found.upper.guarantee is Guarantee.PROVED
    assert found.lower.guarantee is Guarantee.WITNESS
    assert found.lower.value <= norm * (1 + 1e-11)
    assert norm * (1 - 1e-11) <= found.upper.value <= norm * (1 + 1e-6)


@pytest.mark.parametrize("tier", ["tight", "exact"])
@pytest.mark.parametrize("norm", ["layernorm", "rmsnorm"])
@pytest.mark.parametrize("kind", KINDS)
def test_torchs_norm_lies_between(kind: Kind, norm: str, tier: Any) -> None:
    X = np.random.default_rng(0).standard_normal((4, 6))
    given = None if kind == "residual" else norms()[norm]
    assert_encloses(certify.layer(attention(), X, block=kind, norm=given, tier=tier), torch_norm(kind, given, X))


@pytest.mark.parametrize("norm_first", [True, False])
def test_an_encoder_layer_knows_its_block(norm_first: bool) -> None:
    torch.manual_seed(1)
    module = torch.nn.TransformerEncoderLayer(6, 2, 8, norm_first=norm_first, batch_first=True).double().eval()
    X = np.random.default_rng(0).standard_normal((4, 6))
    kind, other = ("pre-norm", "post-norm") if norm_first else ("post-norm", "pre-norm")
    found = certify.layer(module, X, block=kind)

    def block(x):
        y = module.norm1(x) if norm_first else x
        total = x + module.self_attn(y[None], y[None], y[None], need_weights=False)[0][0]
        return total if norm_first else module.norm1(total)

    J = torch.autograd.functional.jacobian(block, torch.tensor(X)).reshape(X.size, X.size)
    assert_encloses(found, float(torch.linalg.matrix_norm(J, 2)))
    message = f"TransformerEncoderLayer is built {kind}: ask for that block, or give the norm of a {other} block"
    with refused(ModelError, message):
        certify.layer(module, X, block=other)


def test_a_bert_layer_and_its_report(bert: Path) -> None:
    found = certify.layer(str(bert), text=TEXT, tokens=5, block="post-norm")
    assert found.about["block"] == "post-norm"
    assert found.heads == ()
    assert found.global_upper is None
    text = " ".join(found.table().split())
    assert "post-norm block: 5 tokens of size 12" in text
    assert "block: the map LayerNorm(x + f(x)) of the tokens that enter it, f the attention with all heads." in text
    assert "published" not in text
    assert found._repr_html_().count("<tr>") == 2
    with refused(ModelError, f"{bert} is built post-norm: ask for that block, or give the norm of a pre-norm block"):
        certify.layer(str(bert), text=TEXT, tokens=5, block="pre-norm")


def test_it_is_found_again_from_the_weights(bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("residual", "post-norm"):
        place = tmp_path / f"{kind}.json"
        arguments = ["layer", str(bert), "--tokens", "4", "--block", kind, "--save", str(place)]
        assert main(arguments) == 0
        assert "block" in capsys.readouterr().out
        assert main(["check", str(place), "--weights", str(bert)]) == 0
        assert "not independently: 1 deflation bounds" in capsys.readouterr().out


def test_a_lowered_claim_or_another_norm_is_found(bert: Path, tmp_path: Path) -> None:
    document = certify.layer(str(bert), text=TEXT, tokens=4, block="post-norm").as_json()
    step = document["proof"]["steps"][0]
    step["claim"] = (float.fromhex(step["claim"]) * (1 - 1e-9)).hex()
    document["digest"] = digest(document)
    with pytest.raises(CertificateError, match=r"^sublayer/point/sublayer-deflation claims .*, run again it gives "):
        rerun(document, str(bert))
    document["proof"]["geometry"]["around"]["eps"] = (0.5).hex()
    with pytest.raises(CertificateError, match=r"^the norm of .* is not the one that the certificate is about$"):
        rerun(document, str(bert))
    other = write_bert(tmp_path / "other", change=lambda arrays: arrays.update(_negated(arrays)))
    document["proof"]["geometry"]["around"]["eps"] = (1e-12).hex()
    with pytest.raises(CertificateError, match=r"^block_norm_weight of .* is not the tensor that the certificate is"):
        rerun(document, str(other))


def _negated(arrays: Any) -> dict[str, Any]:
    name = "encoder.layer.0.attention.output.LayerNorm.weight"
    return {name: -arrays[name]}


def test_refusals(bert: Path) -> None:
    X = np.ones((2, 6))
    with refused(InputError, "the tier fast does not speak of blocks: take the tier tight or exact"):
        certify.layer(attention(), X, block="residual", tier="fast")
    with refused(InputError, "the tier probable does not speak of blocks: take the tier tight or exact"):
        certify.layer(attention(), X, block="residual", tier="probable")
    with refused(InputError, "head 1 alone has no residual connection: leave out the head or the block"):
        certify.layer(attention(), X, block="residual", head=1)
    message = "a norm was given, but no block that it belongs to: say block='post-norm' or 'pre-norm'"
    with refused(InputError, message):
        certify.layer(attention(), X, norm=norms()["layernorm"])
    with refused(ModelError, "the block post-norm needs a norm: give its weight, bias and eps"):
        certify.layer(attention(), X, block="post-norm")
    with refused(ModelError, "RMSNorm with eps=None takes eps from the number format of its input: give it one"):
        certify.layer(attention(), X, block="pre-norm", norm=torch.nn.RMSNorm(6))
    with refused(UnsupportedModelError, "LayerNorm over the axes (2, 6): only the last one is taken"):
        certify.layer(attention(), X, block="pre-norm", norm=torch.nn.LayerNorm((2, 6)))
    message = (
        "torch.nn.modules.normalization.GroupNorm is no norm that is supported: accepted are torch.nn.LayerNorm, "
        "torch.nn.RMSNorm and certify.TokenNorm(gamma, beta, eps)"
    )
    with refused(UnsupportedModelError, message):
        certify.layer(attention(), X, block="pre-norm", norm=torch.nn.GroupNorm(2, 6))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(value: float) -> None:
    X = np.ones((2, 6))
    X[1, 2] = value
    with refused(InputError, f"the input is {value} at token 1, entry 2: every entry must be finite"):
        certify.layer(attention(), X, block="residual")


def test_an_overflow_is_no_bound() -> None:
    with pytest.raises(NoEnclosure):
        certify.layer(attention(), 1e200 * np.ones((2, 6)), block="pre-norm", norm=norms()["rmsnorm"])
    found = certify.layer(attention(), 1e120 * np.random.default_rng(0).standard_normal((2, 6)), block="residual")
    assert isinstance(found.upper, NoBound)
    assert "no Gram blocks" in found.upper.reason


def test_a_norm_without_weights_is_the_plain_one() -> None:
    X = np.random.default_rng(0).standard_normal((3, 6))
    plain = torch.nn.LayerNorm(6, elementwise_affine=False)
    ours = certify.TokenNorm(np.ones(6), np.zeros(6), 1e-5)
    a, b = (certify.layer(attention(), X, block="pre-norm", norm=norm) for norm in (plain, ours))
    assert (a.upper, a.lower) == (b.upper, b.lower)
