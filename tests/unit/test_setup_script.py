"""`scripts/setup` installs the locked dependencies once, and again only when they have changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = ("requirements.lock", "tests/models/minilm.txt", "pyproject.toml")
FOUND = ("pip", "pgbouncer", "promtool", "zsh", "fish", "chromium")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What the script reads, and an environment whose pip writes down how it was called."""
    for name in ("scripts/setup", *READ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "activate").write_text(f"PATH={programs}:$PATH\n")
    for name in FOUND:
        (programs / name).write_text(f'#!/bin/sh\necho "$*" >>{tmp_path}/calls; [ ! -e {tmp_path}/fails ]\n')
        (programs / name).chmod(0o755)
    return tmp_path


def installed(clone: Path) -> int:
    """How often pip was called by one more run."""
    calls = clone / "calls"
    calls.unlink(missing_ok=True)
    subprocess.run(["bash", "-euc", "source scripts/setup dev"], cwd=clone, check=True)
    return len(calls.read_text().splitlines()) if calls.exists() else 0


def test_it_installs_again_only_what_has_changed(clone: Path) -> None:
    assert [installed(clone), installed(clone)] == [2, 0]
    for name in READ:
        with (clone / name).open("a") as file:
            file.write("# changed\n")
        assert [installed(clone), installed(clone)] == [2, 0], name


def test_an_installation_that_failed_is_done_again_even_if_the_change_is_taken_back(clone: Path) -> None:
    installed(clone)
    (clone / "pyproject.toml").write_text("# another\n")
    (clone / "fails").touch()
    with pytest.raises(subprocess.CalledProcessError):
        installed(clone)
    (clone / "fails").unlink()
    shutil.copy(ROOT / "pyproject.toml", clone)
    assert installed(clone) == 2


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("exit 127", "does not run; name a Python 3.11 or later that does"),
        ('case "$*" in *version_info*) exit 1;; --version) echo Python 3.9.1;; esac', "Python 3.9.1 is too old"),
    ],
)
def test_a_python_that_does_not_run_or_is_too_old_is_named(clone: Path, program: str, told: str) -> None:
    python = clone / "python"
    python.write_text(f"#!/bin/sh\n{program}\n")
    python.chmod(0o755)
    command = ["bash", "-euc", "source scripts/setup"]
    done = subprocess.run(
        command, cwd=clone, env={**os.environ, "PYTHON": str(python)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, told in done.stderr, len(done.stderr.splitlines())) == (1, True, 1), done.stderr
