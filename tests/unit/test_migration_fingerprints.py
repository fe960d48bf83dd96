"""A migration cannot be built, opened or recorded without the fingerprint of its script."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import fingerprints

from jotsam import Jotsam, JotsamError
from jotsam.core.settings import Settings
from jotsam.storage import migrations

ROOT = Path(__file__).parent.parent.parent


def test_each_script_has_its_recorded_fingerprint() -> None:
    """Put the values of the failure into `FINGERPRINTS`. Never for a version that was released: add a migration."""
    assert fingerprints.problems() == []
    assert fingerprints.recorded() == migrations.FINGERPRINTS


def test_the_package_cannot_be_built_with_a_forgotten_fingerprint(tmp_path) -> None:
    for name in ("src", "tools", "man", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        copy(source, tmp_path / name)
    folder = tmp_path / "src/jotsam/storage/sql/sqlite/migrations"
    (folder / "queue_0009_more.sql").write_text("create table queue_more (id integer primary key) strict;\n")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode != 0
    assert "sqlite queue: FINGERPRINTS in storage/migrations.py has" in built.stderr + built.stdout


def test_a_forgotten_fingerprint_is_never_stored_empty(tmp_path, monkeypatch) -> None:
    known = {**migrations.FINGERPRINTS["sqlite"], "queue": ()}
    monkeypatch.setitem(migrations.FINGERPRINTS, "sqlite", known)
    with pytest.raises(JotsamError, match=r"has no fingerprint: run `python -m tools.fingerprints`"):
        Jotsam(settings=Settings(db=str(tmp_path / "new.db"), worker="off"))
