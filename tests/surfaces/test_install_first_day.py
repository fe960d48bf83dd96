"""The first day: `jotsam install` offers the sessions that are on the disk, and `doctor` finds nothing wrong."""

from __future__ import annotations

import os
import pty
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from terminal import AtTerminal

from transcripts import claude, write

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

AGENTS = ("claude", "codex", "gemini", "opencode", "cursor")


@pytest.fixture
def kind() -> str:
    return "sqlite"


def sessions(shell: Shell, number: int) -> Path:
    """Session files of Claude Code, and a part of one."""
    folder = shell.home / ".claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    for one in range(number):
        write(folder / f"{one}.jsonl", claude(1, f"Shelf {one} has tea.", sessionId=f"s{one}", cwd=str(shell.home)))
    write(folder / "agent-1.jsonl", claude(1, "Look at shelf 1.", sessionId="s1", isSidechain=True))
    return folder


def answered(shell: Shell, answers: str, *arguments: str) -> tuple[int, str]:
    """Run a command at a terminal, with these answers to its questions. Returns its exit code and what it shows."""
    ours, theirs = pty.openpty()
    terminal = AtTerminal(shell, *arguments, stdin=theirs, columns=200)
    os.close(theirs)
    os.write(ours, answers.encode())
    shown = terminal.end()
    os.close(ours)
    return terminal.process.returncode, shown


def test_install_offers_once_to_import_the_sessions_on_the_disk(jotsam: Shell) -> None:
    sessions(jotsam, 3)
    code, shown = answered(jotsam, "y\nn\ny\n", "install", "claude")
    assert (code, shown.count("Import 3 sessions of Claude Code on this disk? [Y/n]")) == (0, 1)
    assert "added     3 turns of 3 sessions in 4 files" in shown
    assert "sessions of Claude Code that are open do not see it: start them again" in shown
    assert "Shelf 2 has tea." in jotsam("list").stdout
    code, shown = answered(jotsam, "", "install", "claude")
    assert (code, "Import" in shown, "that are open" in shown) == (0, False, False)


def test_who_does_not_want_them_or_is_not_asked_learns_the_command(jotsam: Shell) -> None:
    sessions(jotsam, 2)
    _, shown = answered(jotsam, "y\nn\nn\n", "install", "claude")
    assert "`jotsam import ~/.claude/projects` imports them later" in shown
    assert not jotsam.db.exists()
    jotsam("uninstall", "claude")
    done = jotsam("install", "claude")
    assert "2 sessions of Claude Code on this disk: `jotsam import ~/.claude/projects` imports them" in done.stderr
    assert not jotsam.db.exists()
    jotsam("uninstall", "claude")
    for arguments, env in ((("--scope", "project"), {}), ((), {"JOTSAM_CAPTURE": "0"}), (("--json",), {})):
        assert "sessions of Claude Code on this disk" not in jotsam("install", "claude", *arguments, **env).stderr
        jotsam("uninstall", "claude", *(arguments if "--scope" in arguments else ()))


def test_sessions_of_each_agent_are_found_where_it_keeps_them(jotsam: Shell) -> None:
    jotsam.env["CODEX_HOME"] = str(jotsam.home / "other")
    places = (".gemini/tmp/x/chats", "other/sessions/2026", ".cursor/projects/y")
    for place in places:
        jotsam.file(f"{place}/one.jsonl")
    database = apsw.Connection(str(jotsam.file("data/opencode/opencode.db", "")))
    database.execute("create table session (id); insert into session values ('a'), ('b')")
    database.close()
    numbers = {"claude": None, "codex": 1, "gemini": 1, "opencode": 2, "cursor": 1}
    for agent in AGENTS:
        hints = [line for line in jotsam("install", agent).stderr.splitlines() if "on this disk" in line]
        assert [int(line.split()[1]) for line in hints] == ([numbers[agent]] if numbers[agent] else []), agent
    jotsam.file(".config/Cursor/User/globalStorage/state.vscdb", "no database")
    jotsam("uninstall", "cursor")
    assert jotsam("install", "cursor").returncode == 0


def test_nothing_is_wrong_right_after_an_install(jotsam: Shell) -> None:
    sessions(jotsam, 2)
    jotsam("install", "claude")
    done = jotsam("doctor")
    assert (done.returncode, f"{jotsam.db} does not exist: nothing is stored yet" in done.stdout) == (0, True)
    jotsam("uninstall", "claude")
    jotsam.env["JOTSAM_WORKER"] = "auto"
    assert "added     2 turns" in answered(jotsam, "y\nn\ny\n", "install", "claude")[1]
    jotsam("wait")
    done = jotsam("doctor")
    assert done.returncode == 0, done.stdout
