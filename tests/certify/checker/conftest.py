"""One small certificate and its model for the whole folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from certify.certificate import save

from .small import Model, certificate


@dataclass(frozen=True)
class Small:
    """A certificate's data, its file, and the folder of its model."""

    data: dict[str, Any]
    path: Path
    weights: Path
    model: Model


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    folder = tmp_path_factory.mktemp("small")
    model = Model()
    data = certificate(model)
    model.save(folder)
    return Small(data, save(data, folder / "certificate.json"), folder, model)
