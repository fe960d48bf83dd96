"""Capture can be switched off for everything, a project, a folder or a session; hooks stay silent and exit with 0."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import transcripts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surfaces.conftest import Shell


def repository(shell: Shell, name: str) -> Path:
    folder = shell.home / name
    (folder / ".git").mkdir(parents=True)
    return folder


def is_stored(shell: Shell, folder: Path, *, session: str = "s", **env: str) -> bool:
    """Whether a hook stores a turn said in this folder. A new prompt each time, so that none is a duplicate."""
    shell.turns = getattr(shell, "turns", 0) + 1  # type: ignore[attr-defined]
    said = {"prompt_id": str(shell.turns), "cwd": str(folder), "session_id": session}  # type: ignore[attr-defined]
    before = spooled(shell)
    done = shell.hook("Stop", env=env, last_assistant_message="We chose tabs.", **said)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return spooled(shell) > before


def spooled(shell: Shell) -> int:
    """The turns in the spool: there is no database in these tests, so a hook stores its turn there."""
    places = (shell.db.parent / "jotsam.db.spool", shell.home / "data" / "jotsam" / "hooks.spool")
    return sum(len(os.listdir(place)) for place in places if place.exists())


def state(shell: Shell) -> Path:
    return shell.home / "data" / "jotsam" / "capture.json"


def test_a_hook_stores_no_turn_of_what_is_switched_off(jotsam: Shell) -> None:
    acme, other = repository(jotsam, "acme"), repository(jotsam, "other")
    (acme / "src").mkdir()
    (jotsam.home / "link").symlink_to(acme)
    assert is_stored(jotsam, acme)
    for option, value in (("--project", "acme"), ("--path", str(acme)), ("--path", "link"), ("--session", "secret")):
        done = jotsam("capture", "off", option, value)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"capture is off for {option[2:]} {value}" in done.stdout
        if option == "--session":
            assert not is_stored(jotsam, other, session="secret")
            assert is_stored(jotsam, acme)
        else:
            assert not is_stored(jotsam, acme / "src")
            assert is_stored(jotsam, other)
        assert f"capture is on for {option[2:]} {value}" in jotsam("capture", "on", option, value).stdout
    jotsam("capture", "off")
    assert not is_stored(jotsam, other)
    jotsam("capture", "on")
    assert is_stored(jotsam, acme / "src", session="secret")
    assert jotsam("capture", "off", "--project", "a", "--session", "b").returncode == 2
    assert jotsam("capture", "off", "--project", " ").returncode == 1


def test_settings_switch_capture_off_and_a_project_file_cannot_switch_it_on(jotsam: Shell) -> None:
    clone, config = repository(jotsam, "clone"), jotsam.home / "config" / "jotsam" / "config.toml"
    for value, stored in (("0", False), ("off", False), ("1", True), ("on", True), ("of", False)):
        assert (value, is_stored(jotsam, clone, JOTSAM_CAPTURE=value)) == (value, stored)
    config.parent.mkdir(parents=True)
    for line, stored in (("capture = false", False), ('capture = "on"', True), ("capture = 3", False)):
        config.write_text(line + "\n")
        assert (line, is_stored(jotsam, clone)) == (line, stored)
    config.write_text('capture = "off"\n')
    project = clone / ".jotsam.toml"
    project.write_text('capture = "on"\n')
    assert not is_stored(jotsam, clone)
    config.write_text("")
    project.write_text('capture = "off"\n')
    assert not is_stored(jotsam, clone)
    assert is_stored(jotsam, clone, JOTSAM_CAPTURE="on")
    project.write_text('capture = "on"\n')
    (clone / "note.md").write_text("Ana moved.")
    assert "a project can only switch it off" in jotsam("add", str(clone / "note.md")).stderr


def test_a_turn_spooled_while_the_settings_were_broken_waits_for_the_decision(jotsam: Shell) -> None:
    config = jotsam.home / "config" / "jotsam" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("capture = off\n")  # not TOML: a string needs quotes
    assert is_stored(jotsam, jotsam.home, JOTSAM_DB="")
    config.write_text('capture = "off"\n')
    assert jotsam("work", JOTSAM_DB="").returncode == 0
    assert spooled(jotsam) == 0
    assert jotsam.json("status", JOTSAM_DB="")["status"]["memories"] == 0


def test_a_damaged_state_switches_everything_off_and_doctor_says_so(jotsam: Shell) -> None:
    jotsam("capture", "off", "--project", "acme")
    for damage in ("{", "[]", '{"everything": false, "project": "acme", "path": [], "session": []}', "x" * 1_000_001):
        state(jotsam).write_text(damage)
        assert not is_stored(jotsam, jotsam.home)
    os.remove(state(jotsam))
    os.mkfifo(state(jotsam))
    assert not is_stored(jotsam, jotsam.home)
    done = jotsam("doctor", "--json")
    (found,) = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "capture"]
    assert (found["level"], found["repair"]) == ("warn", "jotsam agents capture on")
    assert "so nothing is captured" in found["text"]
    assert "jotsam agents capture on" in jotsam("capture", "off", "--project", "b").stderr
    assert jotsam("capture", "on").returncode == 0
    jotsam("capture", "off", "--session", "x")
    assert jotsam.json("capture") == {"schema": 1, "capture": True, "off": ["session x"]}
    assert jotsam.json("status")["status"]["capture_off"] == ["session x"]
    assert "Turns of agents are not stored: session x" in jotsam("status").stdout
    assert "off: session x" in jotsam("doctor").stdout


def test_an_import_skips_what_is_switched_off_and_says_why(jotsam: Shell) -> None:
    acme, other = repository(jotsam, "acme"), repository(jotsam, "other")
    path = jotsam.home / "session.jsonl"
    lines = [transcripts.claude(n, f"Text {n}.", cwd=str(folder)) for n, folder in enumerate((acme, other, other))]
    transcripts.write(path, *lines)
    jotsam("capture", "off")
    assert jotsam.json("import", path, "--dry-run")["added"] == 3
    jotsam("capture", "off", "--project", "acme")
    found = jotsam.json("import", path)
    assert (found["added"], found["skipped"]) == (2, {"capture is off for project acme": 1})
    (other / ".jotsam.toml").write_text('capture = "off"\n')
    jotsam("capture", "on", "--project", "acme")
    found = jotsam.json("import", path)
    assert (found["added"], found["skipped"]) == (1, {f"capture is off by {other / '.jotsam.toml'}": 2})
