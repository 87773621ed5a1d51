"""The shelf of loaders: every file here holds one constant LOADER, and a new kind of model is one new file."""

import importlib
import os
import pkgutil
from collections.abc import Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from typing import NoReturn

from ..errors import ModelError, UnsupportedModelError
from ..loaded_layer import LoadedLayer, Loader
from ..model_folder import CONFIG, folder_of, read_config


@cache
def loaders() -> Mapping[str, Loader]:
    """Every loader of this folder by its file's name, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}").LOADER for name in names}


def load(model: str | PathLike[str] | object, layer: int | None = None) -> LoadedLayer:
    """The attention layer `layer` of a named demo model, a folder or file, or of a module (which takes no layer).

    A plain string that names a demo model means that one; write ./minilm for a folder of the same name.

    Raises UnsupportedModelError, naming it, for a model that no loader recognises; ModelError for one that cannot be
    found, read or trusted, and for a layer that does not exist.
    """
    for loader in sorted(loaders().values(), key=lambda loader: not loader.by_name):
        if loader.recognises(model):
            return loader.load(model, layer)
    return _refuse(model)


def _refuse(model: object) -> NoReturn:
    """The reason why nothing recognised the model, by its name."""
    accepted = f"accepted are {'; '.join(loader.accepts for loader in loaders().values())}"
    if not isinstance(model, (str, PathLike)):
        raise UnsupportedModelError(f"{type(model).__module__}.{type(model).__qualname__} is not supported: {accepted}")
    path = Path(model)
    if not os.path.exists(path):
        raise ModelError(f"no model {model}: neither a file or folder nor the name of a demo model; {accepted}")
    folder = folder_of(path)
    if folder is None:
        raise UnsupportedModelError(f"{path} is not supported: {accepted}")
    if not (folder / CONFIG).is_file():
        raise ModelError(f"no {CONFIG} in {folder}: it says what kind of model the weights are")
    config = read_config(folder)
    kind, architectures = config.get("model_type", "unknown"), config.get("architectures") or ["no architecture named"]
    found = f"a model of type {kind} ({', '.join(map(str, architectures))})"
    raise UnsupportedModelError(f"{folder} holds {found}, which is not supported: {accepted}")
