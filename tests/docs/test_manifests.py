"""The manifests by which other programs install Jotsam. tests/agents/test_plugins.py installs them."""

from __future__ import annotations

import hashlib
import json
import os
import urllib.request
import zipfile
from pathlib import Path

import jsonschema
import pytest
from tools import manifests

from jotsam.core.version import VERSION
from processes import PATIENCE

ADDRESS = "https://github.com/example/memory"
SCHEMAS = Path(os.environ.get("JOTSAM_TEST_SCHEMAS") or "~/.cache/jotsam-schemas").expanduser()


def test_each_manifest_is_up_to_date() -> None:
    stale = [path for path, text in manifests.committed().items() if (manifests.ROOT / path).read_text() != text]
    assert stale == [], "run `python -m tools.reference`"


def test_a_bundle_has_the_wheel_and_the_same_bytes_each_time(bundle: Path, tmp_path: Path) -> None:
    wheel = tmp_path / f"jotsam-{VERSION}-py3-none-any.whl"
    manifests.write_bundle(wheel, tmp_path / "again.mcpb")
    assert bundle.read_bytes() == (tmp_path / "again.mcpb").read_bytes()
    with zipfile.ZipFile(bundle) as file:
        manifest = json.loads(file.read("manifest.json"))
        assert manifest["server"]["entry_point"] in file.namelist()
        assert file.read(wheel.name) == b"a wheel"
    assert manifest["version"] == VERSION
    assert len(manifest["tools"]) == 5


def test_the_registry_names_the_server_by_the_owner_of_the_repository(bundle: Path) -> None:
    found = manifests.server_json(f"{ADDRESS}.git", bundle)
    assert found["name"] == "io.github.example/jotsam"
    file = found["packages"][1]
    assert file["identifier"] == f"{ADDRESS}/releases/download/v{VERSION}/{bundle.name}"
    assert file["fileSha256"] == hashlib.sha256(bundle.read_bytes()).hexdigest()
    with pytest.raises(ValueError, match=r"invalid address .example\.org.: must be as https://github\.com/OWNER/NAME"):
        manifests.server_json("example.org", bundle)


@pytest.mark.long
def test_the_entry_of_the_registry_fits_its_schema(bundle: Path) -> None:
    schema = jsonschema.Draft7Validator(json.loads(fetched(manifests.SCHEMA)))
    entry = manifests.server_json(ADDRESS, bundle)
    schema.validate(entry)
    with pytest.raises(jsonschema.ValidationError, match="is too long"):
        schema.validate(entry | {"description": "a" * 101})


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    wheel, path = tmp_path / f"jotsam-{VERSION}-py3-none-any.whl", tmp_path / f"jotsam-{VERSION}.mcpb"
    wheel.write_bytes(b"a wheel")
    manifests.write_bundle(wheel, path)
    return path


def fetched(url: str) -> str:
    """A schema, from the cache of the tests or from its address."""
    path = SCHEMAS / url.removeprefix("https://")
    if not path.exists():
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as response:
                text = response.read().decode()
        except OSError as error:
            pytest.skip(f"{url} cannot be had: {error}; put it into {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path.read_text()
