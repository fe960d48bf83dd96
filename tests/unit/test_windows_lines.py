"""What `jotsam install` writes on Windows. There `scripts/portable-check` runs it; here its text is tested."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from jotsam.admin.agents import agent_checks, launcher
from jotsam.agents.agent import agent_named
from jotsam.agents.agent_files import JSON_WITH_COMMENTS, SCRIPT, TOML, hook_line
from jotsam.agents.git.install import line as git_line
from jotsam.agents.registry import AGENTS
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import shells
from jotsam.core.platform.shells import GIT_BASH, POWERSHELL
from jotsam.surfaces.agent_files import edit_file
from jotsam.surfaces.agent_files.entries import runs_jotsam

LAUNCHER = r"C:\Users\Jörg O'Neil\AppData\Local\jotsam\bin\jotsam.cmd"
QUOTED = "'" + LAUNCHER.replace("'", "''") + "'"  # for PowerShell
SLASHES = LAUNCHER.replace("\\", "/")
WORDS = ["cmd.exe", "/d", "/c", "if", "exist", LAUNCHER, LAUNCHER]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder on a system with batch files. The paths are those of the system of the test."""
    if os.name == "nt":
        pytest.skip("Windows has its own paths: tools/installed.py runs what is written there")
    monkeypatch.setattr(shells, "IS_BATCH", True)
    monkeypatch.setattr(shells, "BATCH_ENCODING", "cp850")
    for name in (shells.BASH_PATH, "ProgramFiles", "ProgramW6432", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    return tmp_path


def test_a_hook_is_quoted_for_the_shell_of_its_agent(windows: Path) -> None:
    powershell = f"if (Test-Path -LiteralPath {QUOTED}) {{ & {QUOTED} hook --harness codex }}"
    assert hook_line(LAUNCHER, "codex") == powershell
    bash = f"[ -f {shlex.quote(SLASHES)} ] && {shlex.quote(SLASHES)} hook --harness claude || :"
    assert hook_line(LAUNCHER, "claude", GIT_BASH) == bash
    assert git_line(LAUNCHER).startswith(f"[ -f {shlex.quote(SLASHES)} ] && git log ")
    for line in (powershell, bash):
        assert runs_jotsam(line, "hook")
        assert not runs_jotsam(line.replace("jotsam.cmd", "other.cmd"), "hook")


def test_claude_code_has_git_bash_or_is_told_to_use_powershell(windows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (settings, _) = agent_named("claude").files("user", "", LAUNCHER)
    (hook,) = settings.entries[0].value["hooks"]
    assert (hook["shell"], hook["command"]) == ("powershell", hook_line(LAUNCHER, "claude", POWERSHELL))
    for name in ("Git/bin/bash.exe", "Git/cmd/git.exe"):
        (windows / name).parent.mkdir(parents=True, exist_ok=True)
        (windows / name).touch()
    for name, value in (
        ("ProgramFiles", windows),
        ("PATH", windows / "Git" / "cmd"),
        (shells.BASH_PATH, windows / "Git" / "bin" / "bash.exe"),
    ):
        with monkeypatch.context() as one:
            one.setenv(name, str(value))
            assert shells.of_claude(os.environ) == GIT_BASH, name
    monkeypatch.setenv("ProgramFiles", str(windows))
    (settings, _) = agent_named("claude").files("user", "", LAUNCHER)
    (hook,) = settings.entries[0].value["hooks"]
    assert hook == {"type": "command", "command": hook_line(LAUNCHER, "claude", GIT_BASH), "timeout": 10}


def test_every_file_of_an_agent_starts_the_launcher_and_is_recognised(windows: Path) -> None:
    """A server is started without a shell, which no system does for a batch file."""
    for name in AGENTS:
        if name == "git":
            continue
        for file in agent_named(name).files("user", "", LAUNCHER):
            content = edit_file.with_entries(file, None)
            assert agent_checks._bare(LAUNCHER.encode()) in agent_checks._bare(content), file.path
            assert edit_file.has_entries(file, content)
            if file.syntax == SCRIPT:
                assert f"= {json.dumps(WORDS, ensure_ascii=False)} //" in content.decode()
            elif file.syntax not in (TOML, JSON_WITH_COMMENTS) and b"mcp" in content:
                assert json.dumps(WORDS[4:], ensure_ascii=False)[1:-1] in content.decode().replace("\n", "")
            left = edit_file.without_entries(file, content)
            assert left is None or not edit_file.has_entries(file, left)


def test_a_path_without_spaces_is_escaped_for_cmd_where_nothing_puts_quotes_around_it(windows: Path) -> None:
    assert shells.words(r"D:\R&D(x86)\^\100%\jotsam.cmd") == [
        "cmd.exe",
        "/d",
        "/c",
        r"D:\R^&D^(x86^)\^^\100%\jotsam.cmd",
    ]
    assert shells.words(r"D:\R & D\jotsam.cmd")[5:] == [r"D:\R & D\jotsam.cmd"] * 2
    line = hook_line(r"D:\R&D\100%\jotsam.cmd", "codex")
    assert "& 'D:\\R&D\\100%\\jotsam.cmd' hook" in line
    settings = next(
        file
        for file in agent_named("cursor").files("user", "", r"D:\R&D\jotsam.cmd")
        if b"R^" in edit_file.with_entries(file, None)
    )
    assert agent_checks._bare(rb"D:\R&D\jotsam.cmd") in agent_checks._bare(edit_file.with_entries(settings, None))


def test_the_batch_file_does_not_depend_on_how_the_home_folder_is_written(windows: Path) -> None:
    assert launcher.write()
    assert not launcher.write()
    assert launcher.path() == str(windows / ".local/share/jotsam/bin/jotsam.cmd")
    script = Path(launcher.path()).read_bytes()
    lines = script.decode("ascii").split("\r\n")
    assert b"\n" not in script.replace(b"\r\n", b"")
    assert f'set "program={launcher.program()}"' in lines
    assert 'set "folder=%USERPROFILE%/.local/share/jotsam/hooks.spool"' in lines
    assert launcher.problem() is None
    assert launcher._named(f"{windows}/100 %/a") == "%USERPROFILE%/100 %%/a"
    assert launcher._named("/100 %/a") == "/100 %%/a"
    (kept,) = (line for line in lines if line.startswith("powershell "))
    assert kept.count('"') == 2  # It is one argument, and has nothing that a batch file would expand.
    assert "%" not in kept

    Path(launcher.path()).write_bytes(script.replace(launcher.program().encode(), b"%USERPROFILE%/a 100 %%/jotsam.exe"))
    assert launcher.problem() == f"{launcher.path()} runs {windows}/a 100 %/jotsam.exe, which does not exist"
    assert "Grüße" in launcher._batch("/Grüße/jotsam.exe", "/s").decode("cp850")
    with pytest.raises(InvalidInput, match="cannot be named in a batch file because of '日本'"):
        launcher._batch("/日本/jotsam.exe", "/s")
