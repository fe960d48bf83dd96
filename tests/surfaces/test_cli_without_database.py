"""Commands run before a database exists."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

READING = (
    *("recall queue", "recall", "recall --json queue", "status", "status --json", "status --check", "jobs", "facts"),
    *("jobs groups", "entities", "entities list", "patterns", "costs", "redacted", "--json recall queue"),
)


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("JOTSAM", "XDG"))}
    environment |= {"HOME": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "jotsam", *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", READING)
def test_a_read_only_command_creates_no_database_and_prints_a_hint(tmp_path: Path, command: str) -> None:
    path = tmp_path / "none" / "x.db"
    done = run(tmp_path, "--db", str(path), *command.split())
    assert (done.returncode, "nothing is stored yet" in done.stderr, str(path) in done.stderr) == (0, True, True)
    assert not path.parent.exists()
    if "--json" in command:
        assert json.loads(done.stdout)
        assert "empty.db" not in done.stdout


def test_show_without_a_database_creates_none_and_fails(tmp_path: Path) -> None:
    done = run(tmp_path, "--db", str(tmp_path / "x.db"), "show", "12345678")
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_creates_no_database_and_checks_models_and_hooks(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x.db"
    for command in (("doctor",), ("doctor", "--repair")):
        done = run(tmp_path, "--db", str(path), "--json", *command)
        (database, *others) = json.loads(done.stdout)["checks"]
        assert (done.returncode, database["name"], database["level"]) == (0, "database", "ok")
        assert database["text"] == f"{path} does not exist: nothing is stored yet"
        assert [(one["name"], one["level"]) for one in others] == [
            ("spool", "ok"),
            ("capture", "ok"),
            ("hooks", "ok"),
            ("agents", "ok"),
            ("model", "ok"),
            ("names", "ok"),
        ]
        assert list(tmp_path.iterdir()) == []
    (tmp_path / "none").write_text("This is no folder.")
    done = run(tmp_path, "--db", str(path), "doctor")
    assert done.returncode == 3
    assert f"fail  database     {path} does not exist, and cannot be created in {path.parent}\n" in done.stdout


def test_add_creates_the_database_and_the_hint_disappears(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A kangaroo.")
    assert run(tmp_path, "status", "--no-worker").returncode == 0
    assert run(tmp_path, "add", "--no-worker", str(tmp_path / "a.md")).returncode == 0
    done = run(tmp_path, "recall", "kangaroo", "--no-worker")
    assert "A kangaroo." in done.stdout
    assert done.stderr == ""
