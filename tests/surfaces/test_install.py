"""`jotsam install` and `uninstall` with files as people have them; and what `jotsam agents` says afterwards."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jotsam.admin import installations, launcher
from jotsam.core.errors import InvalidInput
from jotsam.core.names import AGENTS
from jotsam.surfaces.agents import catalog
from jotsam.surfaces.agents import install as installing

OTHER = b"""{
\t"model": "opus",
\t"hooks": {
\t\t"Stop": [
\t\t\t{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
\t\t]
\t},
\t"mcpServers": {"other": {"command": "other"}}
}"""
HOME_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home of Ana"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in HOME_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return home


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def settings(home: Path) -> Path:
    return home / ".claude" / "settings.json"


def given(home: Path, content: bytes) -> Path:
    settings(home).parent.mkdir(exist_ok=True)
    settings(home).write_bytes(content)
    return settings(home)


def hooks_in(content: bytes) -> list[str]:
    """The commands of all hooks, with their events."""
    found = json.loads(content.removeprefix(b"\xef\xbb\xbf"))["hooks"]
    return [
        f"{event}: {one['command']}" for event, groups in found.items() for group in groups for one in group["hooks"]
    ]


@pytest.mark.parametrize("name", [name for name in AGENTS if name != "git"])
def test_an_agent_without_files_gets_them_once_and_loses_them_again(home: Path, name: str) -> None:
    for scope, folder in (("user", ""), ("project", str(home / "shop"))):
        installing.install(name, scope, folder)
        written = files_below(home)
        assert written
        assert all(change.verb == "unchanged" for change in installing.plan(name, scope, folder))
        installing.install(name, scope, folder)
        assert files_below(home) == written
        assert launcher.problem() is None

        installing.uninstall(name, scope, folder)
        assert list(home.iterdir()) == []
        assert not os.path.exists(launcher.path())
        assert not os.path.exists(installations.folder())


def test_every_hook_runs_the_launcher(home: Path) -> None:
    installing.install("claude", "user", "")
    line = f"{launcher.path()} hook --harness claude"
    assert {command.partition(": ")[2] for command in hooks_in(settings(home).read_bytes())} == {line}


CONTENTS = {
    "no bytes": b"",
    "white space": b" \n",
    "an empty object": b"{ }\n",
    "one line": b'{"a":1}',
    "others": OTHER,
    "Windows": OTHER.replace(b"\n", b"\r\n"),
    "a byte order mark": b"\xef\xbb\xbf" + OTHER,
    "empty lists": b'{"hooks": {"Stop": [ ]}, "mcpServers": { }}',
    "many": json.dumps({"hooks": {}, "x": [{"y": "z" * 50}] * 5_000}, indent=1).encode(),
}


@pytest.mark.parametrize("what", CONTENTS)
def test_uninstall_leaves_a_file_byte_for_byte_as_it_was(home: Path, what: str) -> None:
    path = given(home, CONTENTS[what])
    path.chmod(0o640)
    installing.install("claude", "user", "")
    assert len(hooks_in(path.read_bytes())) >= 7
    assert path.stat().st_mode & 0o777 == 0o640
    installing.uninstall("claude", "user", "")
    assert path.read_bytes() == CONTENTS[what]
    assert path.stat().st_mode & 0o777 == 0o640
    assert not os.path.exists(installations.folder())


def test_uninstall_removes_only_our_entries_from_a_file_that_others_changed(home: Path) -> None:
    path = given(home, OTHER)
    installing.install("claude", "user", "")
    path.write_bytes(path.read_bytes().replace(b'"opus"', b'"sonnet"'))
    installing.uninstall("claude", "user", "")
    assert path.read_bytes() == OTHER.replace(b'"opus"', b'"sonnet"')


REFUSED = {
    "not JSON": (b"{nope}", "line 1: expected a key, found 'nope'"),
    "cut off": (b'{"hooks": {', "line 1: it ends too early"),
    "a comment": (b'{\n  // mine\n  "a": 1}', "line 2: a comment, which is not allowed here"),
    "a list": (b"[]", "the file must be an object"),
    "hooks of another shape": (b'{"hooks": []}', "hooks must be an object"),
    "an event of another shape": (b'{"hooks": {"Stop": {}}}', "hooks.Stop must be a list"),
    "a key twice": (b'{"hooks": {}, "hooks": {}}', "the key 'hooks' occurs 2 times"),
    "not UTF-8": (b'{"a": "\xff"}', "is not UTF-8"),
    "nested without end": (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_cannot_be_edited_is_refused_and_nothing_is_changed(home: Path, what: str) -> None:
    content, message = REFUSED[what]
    given(home, content)
    with pytest.raises(InvalidInput, match=r"settings\.json") as error:
        installing.install("claude", "user", "")
    assert message in str(error.value)
    assert files_below(home) == {".claude/settings.json": content}
    assert installations.read() == ()


def test_catalog_and_command_line_name_the_same_agents() -> None:
    assert tuple(catalog.AGENTS) == AGENTS
