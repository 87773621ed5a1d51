"""A folder with config.json and model.safetensors: finding it and reading its configuration."""

import json
import os
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import ModelError

CONFIG = "config.json"
WEIGHTS = "model.safetensors"


def folder_of(model: object) -> Path | None:
    """The folder that a path means: itself, or the one around a .safetensors file; None for anything else."""
    if not isinstance(model, (str, PathLike)):
        return None
    path = Path(model)
    if os.path.isdir(path):  # unlike Path.is_dir, False for a name the system cannot take
        return path
    return path.parent if os.path.isfile(path) and path.suffix == ".safetensors" else None


def model_type(model: object) -> str | None:
    """The model_type of the folder's config.json, None without one.

    Raises ModelError for a config.json that cannot be read.
    """
    folder = folder_of(model)
    if folder is None or not (folder / CONFIG).is_file():
        return None
    return read_config(folder).get("model_type")


def read_config(folder: Path) -> Mapping[str, Any]:
    """config.json as a dictionary.

    Raises ModelError when it cannot be read or is not a JSON object.
    """
    path = folder / CONFIG
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is not JSON: {error}") from None
    if not isinstance(config, dict):
        raise ModelError(f"{path} is not a JSON object")
    return config
