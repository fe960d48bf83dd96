"""No turn of a hook is lost: whatever is wrong with its settings, its database or its installation."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from jotsam.core.settings import PROJECT_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surfaces.conftest import Shell

# What a clone may contain instead of a project file.
PROJECT_FILES: dict[str, Callable[[Path], object]] = {
    "device": lambda path: path.symlink_to("/dev/zero"),
    "pipe": os.mkfifo,
    "folder": lambda path: path.mkdir(),
    "unreadable": lambda path: path.touch(mode=0),
    "large": lambda path: path.write_bytes(b"#" * 50_000_000),
    "nested": lambda path: path.write_text("x = " + "[" * (PROJECT_FILE_BYTES - 10)),
    "decimal": lambda path: path.write_text(f"recall_tokens = {'9' * 5_000}"),
    "hexadecimal": lambda path: path.write_text(f"recall_tokens = 0x{'f' * 5_000}"),
    "label": lambda path: path.write_text(f'project = "{"p" * 5_000}"'),
    "encoding": lambda path: path.write_bytes(b'project = "\xff\xfe"'),
    "syntax": lambda path: path.write_text("project = = shop"),
}


GITHUB = "ghp_" + "h3Jk2LmN5pQrS8tUvWx1Yz4AbCdEfGhIjKl6"


def hook(shell: Shell, word: str, *arguments: str, cwd: Path | None = None, session: str = "s", **env: str) -> None:
    """Fire a hook whose turn contains `word`. Whatever happens, it is silent and exits with 0."""
    said = {"session_id": session, "last_assistant_message": f"We chose {word} for it.", "cwd": str(cwd or shell.home)}
    done = shell("hook", "Stop", *arguments, input=json.dumps(said), unprivileged=True, **env)
    assert (word, done.returncode, done.stdout, done.stderr) == (word, 0, "", "")


def recalled(shell: Shell, *words: str) -> set[str]:
    """Those of the words that are found in memory."""
    text = shell("recall", " ".join(words), "--tokens", "20000").stdout
    return {word for word in words if f"We chose {word} for it." in text}


def test_a_hostile_project_file_loses_no_turn_and_is_an_error_elsewhere(jotsam: Shell, unprivileged: bool) -> None:
    jotsam("migrate")
    wrong = []
    for word, make in PROJECT_FILES.items():
        clone = jotsam.home / word / "clone"
        (clone / ".git").mkdir(parents=True)
        make(clone / ".jotsam.toml")
        hook(jotsam, word, cwd=clone)
        (clone / "note.md").write_text("Ana moved.")
        done = jotsam("add", str(clone / "note.md"), unprivileged=True)
        if done.returncode != 1 or str(clone / ".jotsam.toml") not in done.stderr or "bug" in done.stderr:
            wrong.append((word, done))
    assert wrong == []
    hook(jotsam, "identifier", "--project", "p" * 5_000, cwd=jotsam.home / "label" / "clone", session="s" * 10_000)
    assert recalled(jotsam, *PROJECT_FILES, "identifier") == {*PROJECT_FILES, "identifier"}
    hits = jotsam.json("recall", "--tokens", "20000")["hits"]
    assert {hit["project"] for hit in hits} == {str(jotsam.home / word / "clone") for word in PROJECT_FILES}
    assert ".jotsam.toml cannot be read" in jotsam("doctor").stdout


def test_a_turn_that_fits_nowhere_else_is_kept_in_the_data_folder(jotsam: Shell, unprivileged: bool) -> None:
    jotsam("migrate")
    folder = jotsam.db.parent
    folder.chmod(0o500)
    jotsam.db.chmod(0o400)
    hook(jotsam, "readonly")
    folder.chmod(0o700)
    jotsam.db.chmod(0o600)
    hook(jotsam, "nowhere", JOTSAM_DB="/proc/x/y.db")
    hook(jotsam, "option", "--db", "/dev/null/x.db")
    broken = jotsam.file("broken/apsw.py", "raise RuntimeError('half installed')")
    hook(jotsam, "installation", PYTHONPATH=str(broken.parent))

    # The first is for this database: it is counted, and the next worker stores it. The others are reported.
    assert "not known yet; 2 pending" in jotsam("recall", "readonly").stdout
    jotsam("work")
    assert recalled(jotsam, "readonly", "installation") == {"readonly", "installation"}
    said = jotsam("doctor").stdout
    assert "1 turn of hooks spooled for /proc/x/y.db" in said
    assert "ERROR in a hook: " in said
    assert "/proc/x/y.db" in jotsam("doctor", "--db", "/proc/x/y.db").stdout
    assert recalled(jotsam, "nowhere", "option") == set()
    assert "stored in this database: 2 turns of hooks" in jotsam("doctor", "--repair").stdout
    assert recalled(jotsam, "nowhere", "option") == {"nowhere", "option"}


def test_a_turn_whose_settings_cannot_be_read_goes_where_they_say_after_the_repair(jotsam: Shell) -> None:
    database = jotsam.env.pop("JOTSAM_DB")
    config = jotsam.file("config/jotsam/config.toml", f'db = {database}\ntenant = "ana"')
    hook(jotsam, "unquoted")
    hook(jotsam, "named", JOTSAM_DB=str(jotsam.home / "other.db"), JOTSAM_TENANT="bob")
    hook(jotsam, "tenantless", JOTSAM_DB=str(jotsam.home / "other.db"))
    config.write_text(f'db = "{database}"\ntenant = "ana"')
    other = {"JOTSAM_DB": str(jotsam.home / "other.db")}
    assert "1 turn of hooks" in jotsam("doctor", **other).stdout
    jotsam("work", **other)
    assert jotsam("work").returncode == 0
    assert recalled(jotsam, "unquoted", "named", "tenantless") == {"unquoted"}
    jotsam.env |= other
    assert recalled(jotsam, "unquoted", "named", "tenantless") == {"tenantless"}
    jotsam.env["JOTSAM_TENANT"] = "bob"
    assert recalled(jotsam, "unquoted", "named", "tenantless") == {"named"}


def test_a_hook_that_can_write_nowhere_is_silent(jotsam: Shell, unprivileged: bool) -> None:
    hook(jotsam, "lost", JOTSAM_DB="/proc/x/y.db", XDG_DATA_HOME="/proc/x")


def test_an_answer_counts_spooled_turns_before_the_database_exists(jotsam: Shell) -> None:
    """With a worker that is just starting, and without one."""
    for worker in ("off", "auto"):
        jotsam.env |= {"JOTSAM_WORKER": worker, "JOTSAM_DB": str(jotsam.home / f"{worker}.db")}
        hook(jotsam, "zebra")
        answer = jotsam.json("recall", "zebra")
        assert answer["hits"] or (answer["coverage"]["pending"] == 1 and "not known yet" in answer["text"])
    assert jotsam("wait").returncode == 0
    jotsam.env |= {"JOTSAM_WORKER": "off", "JOTSAM_DB": str(jotsam.home / "off.db")}
    assert jotsam.json("status")["status"]["spooled"] == 1
    done = jotsam("wait", "--timeout", "0")
    assert (done.returncode, done.stdout) == (8, "0 jobs not done yet, 1 turn of hooks not stored yet\n")
    assert jotsam.json("wait", "--timeout", "0")["spooled"] == 1


def keep_raw(shell: Shell, name: str, fields: dict[str, object], *, header: str | None = None, more: str = "") -> Path:
    """A file as the launcher writes it when the program is gone."""
    place = shell.home / "data" / "jotsam" / "hooks.spool"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = place / f"{name}.event"
    path.write_text(f"{header or 'hook --harness claude'}\n{shell.home}\n{more}{json.dumps(fields)}")
    return path


def test_events_that_the_launcher_kept_are_stored_in_order_by_the_database_of_their_folder(jotsam: Shell) -> None:
    jotsam.env.pop("JOTSAM_DB")
    config = jotsam.file("config/jotsam/config.toml", f'db = "{jotsam.db}"\n')
    said = {"session_id": "s", "prompt_id": "p", "cwd": str(jotsam.home)}
    prompt = {**said, "hook_event_name": "UserPromptSubmit", "prompt": f"We chose tabs for it. Token {GITHUB}"}
    keep_raw(jotsam, "1795344685303123456-7", {**said, "hook_event_name": "Stop", "last_assistant_message": "Yes."})
    keep_raw(jotsam, "01795344684000-9", prompt)
    keep_raw(jotsam, "01795344686000-9", {**said, "hook_event_name": "SessionEnd", "reason": "other"})
    keep_raw(jotsam, "01795344687000-9", {**prompt, "prompt": "secret"}, more="JOTSAM_CAPTURE=0\n")
    other = jotsam.home / "other.db"
    keep_raw(jotsam, "01795344688000-9", {**prompt, "prompt": "We chose spaces."}, more=f"JOTSAM_DB={other}\n")
    gemini = {"session_id": "g", "hook_event_name": "BeforeAgent", "prompt": "We chose gin."}
    keep_raw(jotsam, "01795344689000-9", gemini, header="hook --harness gemini")
    keep_raw(jotsam, "01795344690000-9", {}).write_text("hook\n/\n{")

    assert jotsam.json("status")["status"]["spooled"] == 6
    assert f"1 turn of hooks spooled for {other}" in jotsam("doctor").stdout
    config.write_text(f"db = {jotsam.db}\n")
    assert jotsam("work", JOTSAM_DB=str(jotsam.home / "third.db"), XDG_CONFIG_HOME="/nowhere").returncode == 0
    config.write_text(f'db = "{jotsam.db}"\n')
    assert jotsam("work").returncode == 0
    stored = [(m["text"][:20], m["said_at"], m["source"]) for m in turns_of(jotsam)]
    assert stored == [
        ("We chose tabs for it", "2026-11-22T10:51:24.000Z", "claude-code"),
        ("Yes.", "2026-11-22T10:51:25.303Z", "claude-code"),
        ("We chose gin.", "2026-11-22T10:51:29.000Z", "gemini"),
    ]
    assert GITHUB not in json.dumps(turns_of(jotsam))
    left = sorted(path.name for path in (jotsam.home / "data" / "jotsam" / "hooks.spool").iterdir())
    assert left == ["01795344688000-9.event", "01795344690000-9.event.bad"]
    assert "damaged: 1 turn of hooks" in jotsam("doctor").stdout
    jotsam("work", JOTSAM_DB=str(other))
    assert recalled(jotsam, "nothing") == set()
    assert [m["text"] for m in turns_of(jotsam, JOTSAM_DB=str(other))] == ["We chose spaces."]


def turns_of(shell: Shell, **env: str) -> list[dict[str, Any]]:
    """All memories, in the order in which they were said."""
    hits = shell.json("recall", "--tokens", "20000", **env)["hits"]
    found = [shell.json("show", hit["id"], **env)["memory"] for hit in hits]
    return sorted(found, key=lambda memory: (memory["said_at"], memory["position"] or 0))
