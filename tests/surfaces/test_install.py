"""`jotsam install` and `uninstall` with files as people have them; and what `jotsam agents` says afterwards."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from importlib.resources import files
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from jotsam.admin.agents import installations, launcher
from jotsam.agents.agent import agent_named
from jotsam.agents.agent_files import AgentFile
from jotsam.agents.registry import AGENTS
from jotsam.core.errors import InvalidInput
from jotsam.surfaces.agent_files import install as installing
from processes import killed_at, start

OTHER = b"""{
\t"model": "opus",
\t"hooks": {
\t\t"Stop": [
\t\t\t{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
\t\t]
\t},
\t"mcpServers": {"other": {"command": "other"}}
}"""
HOME_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME")


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
    line = f"[ -x {launcher.path()} ] && {launcher.path()} hook --harness claude || :"
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
    "many": json.dumps({"hooks": {}, "x": [{"y": "z" * 50}] * 1_000}, indent=1).encode(),
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
    assert installations.read_installations() == ()


def test_links_and_modes_stay_and_what_cannot_be_written_is_refused(home: Path) -> None:
    dotfiles = home / "dotfiles" / "claude.json"
    dotfiles.parent.mkdir()
    dotfiles.write_bytes(OTHER)
    given(home, b"{}").unlink()
    settings(home).symlink_to(dotfiles)
    installing.install("claude", "user", "")
    assert settings(home).is_symlink()
    assert len(hooks_in(dotfiles.read_bytes())) > 1
    installing.uninstall("claude", "user", "")
    assert (settings(home).is_symlink(), dotfiles.read_bytes()) == (True, OTHER)

    dotfiles.chmod(0o400)
    with pytest.raises(InvalidInput, match="is read-only: make it writable"):
        installing.install("claude", "user", "")
    dotfiles.unlink()
    with pytest.raises(InvalidInput, match=r"is a link to .*claude\.json, which does not exist"):
        installing.install("claude", "user", "")
    settings(home).unlink()
    settings(home).mkdir()
    with pytest.raises(InvalidInput, match="is not a regular file"):
        installing.install("claude", "user", "")
    assert installations.read_installations() == ()


def test_a_plugin_file_of_somebody_else_is_refused(home: Path) -> None:
    plugin = home / ".config" / "opencode" / "plugins" / "jotsam.js"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("export const Mine = 1")
    with pytest.raises(InvalidInput, match=r"jotsam\.js exists and was not written by jotsam"):
        installing.install("opencode", "user", "")
    assert files_below(home) == {".config/opencode/plugins/jotsam.js": b"export const Mine = 1"}


def test_settings_with_comments_are_kept_where_the_agent_reads_them(home: Path) -> None:
    commented = b'{\n  // mine\n  "model": "x" /* why */\n}\n'
    with_comma = commented.replace(b'"x"', b'"x",')
    gemini, vscode = home / ".gemini" / "settings.json", home / ".vscode" / "mcp.json"
    for path, agent, text in ((gemini, "gemini", commented), (vscode, "vscode", with_comma)):
        path.parent.mkdir()
        path.write_bytes(text)
        scope = ("user", "") if agent == "gemini" else ("project", str(home))
        installing.install(agent, *scope)
        assert b"// mine" in path.read_bytes()
        path.write_bytes(path.read_bytes() + b"// end\n")
        installing.uninstall(agent, *scope)
        assert path.read_bytes() == text + b"// end\n"
    gemini.write_bytes(with_comma)
    with pytest.raises(InvalidInput, match="a trailing comma, which is not allowed here"):
        installing.plan("gemini", "user", "")


def test_an_existing_file_is_chosen_and_variables_of_the_agents_count(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonc = home / ".config" / "opencode" / "opencode.jsonc"
    jsonc.parent.mkdir(parents=True)
    jsonc.write_text("{}")
    places = {"CLAUDE_CONFIG_DIR": "claude", "CODEX_HOME": "codex", "GEMINI_CLI_HOME": "gemini"}
    for name, agent in places.items():
        monkeypatch.setenv(name, str(home / agent))
    paths = [change.path for agent in (*places.values(), "opencode") for change in installing.plan(agent, "user", "")]
    names = ["claude/settings.json", "claude/.claude.json", "codex/hooks.json", "codex/config.toml"]
    names += ["gemini/.gemini/settings.json", ".config/opencode/plugins/jotsam.js", ".config/opencode/opencode.jsonc"]
    assert paths == [str(home / name) for name in names]

    installing.install("claude", "user", "")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    installing.uninstall("claude", "user", "")
    assert not (home / "claude").exists()


def test_an_install_that_is_killed_is_finished_or_undone_by_the_next_command(home: Path) -> None:
    given(home, OTHER)
    (home / ".claude.json").write_bytes(b'{"projects": {}}')
    before = files_below(home)
    number = 0
    while killed_at(number := number + 1, lambda: installing.install("claude", "user", ""), folder=str(home.parent)):
        now = files_below(home)
        for name, content in before.items():
            assert json.loads(now[name]).keys() >= json.loads(content).keys(), f"{name} is damaged after step {number}"
        if number % 2:
            installing.install("claude", "user", "")
            assert len(hooks_in(settings(home).read_bytes())) >= 7
        installing.uninstall("claude", "user", "")
        left = {name: content for name, content in files_below(home).items() if not name.endswith(".part")}
        assert left == before
    assert number > 10


def test_two_installs_at_once_write_each_entry_once(home: Path) -> None:
    given(home, OTHER)
    together = [start(install_when_told, agent, dict(os.environ)) for agent in ("claude", "claude", "gemini", "codex")]
    for process in together:
        assert process.says() == "ready"
    for process in together:
        process.tell("go")
    assert [process.ends() for process in together] == [0, 0, 0, 0]
    found = hooks_in(settings(home).read_bytes())
    assert len(found) == len(set(found)) == 8
    assert {one.agent for one in installations.read_installations()} == {"claude", "gemini", "codex"}
    for agent in ("claude", "gemini", "codex"):
        installing.uninstall(agent, "user", "")
    assert files_below(home) == {".claude/settings.json": OTHER}


def install_when_told(pipe: Connection, agent: str, environ: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environ)
    pipe.send("ready")
    pipe.recv()
    installing.install(agent, "user", "")


@pytest.mark.parametrize(
    ("agent", "folder", "settings"),
    [
        ("claude", "claude_plugin", ".claude/settings.json"),
        ("gemini", "gemini_extension", ".gemini/settings.json"),
    ],
)
def test_a_plugin_runs_the_launcher_and_leaves_the_hooks_to_install(
    home: Path, tmp_path: Path, agent: str, folder: str, settings: str
) -> None:
    plugin = Path(str(files(f"jotsam.agents.{agent}"))) / folder
    program = tmp_path / "data" / "jotsam" / "bin" / "jotsam"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(tmp_path / "ran"))}\nexit 7\n')
    program.chmod(0o700)
    hook = ["/bin/sh", str(plugin / "run.sh"), "hook", "--harness", agent]
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(home), "GEMINI_PROJECT_DIR": str(home)}
    assert subprocess.run(hook, env=environment, check=False).returncode == 0
    assert (tmp_path / "ran").read_text() == f"hook --harness {agent}\n"
    other = home / settings
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_text(json.dumps({"hooks": {"Stop": [{"command": f"'{program}' hook --harness {agent}"}]}}))
    assert subprocess.run(hook, env=environment, check=False).returncode == 0
    assert (tmp_path / "ran").read_text() == f"hook --harness {agent}\n"


@pytest.mark.parametrize("text", [b"# Rules\n\nUse tabs.\n", b"no line end", b"", None])
def test_lines_for_the_model_are_written_on_request_and_removed(home: Path, text: bytes | None) -> None:
    path = home / ".claude" / "CLAUDE.md"
    path.parent.mkdir()
    if text is not None:
        path.write_bytes(text)
    installing.install("claude", "user", "")
    assert (path.read_bytes() if path.exists() else None) == text
    installing.install("claude", "user", "", instructions=True)
    written = path.read_bytes()
    assert written.startswith(text or b"<!-- jotsam: begin -->")
    assert written.count(b"call its tool `recall`") == 1
    installing.install("claude", "user", "")
    installing.install("claude", "user", "", instructions=True)
    assert path.read_bytes() == written

    path.write_bytes(written + b"More.\n")
    installing.uninstall("claude", "user", "")
    assert path.read_bytes() in ((text or b"") + b"More.\n", (text or b"") + b"\nMore.\n")
    path.write_bytes(text or b"")
    installing.install("claude", "user", "", instructions=True)
    installing.uninstall("claude", "user", "")
    assert path.read_bytes() == (text or b"")


def test_instructions_have_a_place_in_each_agent_that_reads_them_from_a_file(home: Path) -> None:
    found = {name: instructions(name, "user", "") for name in AGENTS if name != "git"}
    places = {name: file and os.path.relpath(file.path, home) for name, file in found.items()}
    assert places == {
        "claude": ".claude/CLAUDE.md",
        "codex": ".codex/AGENTS.md",
        "gemini": ".gemini/GEMINI.md",
        "opencode": ".config/opencode/AGENTS.md",
        "cursor": None,
        "vscode": None,
    }
    projects = {file.path for name in places if (file := instructions(name, "project", "/shop"))}
    assert projects == {"/shop/CLAUDE.md", "/shop/AGENTS.md", "/shop/GEMINI.md"}


def instructions(name: str, scope: str, folder: str) -> AgentFile | None:
    agent = agent_named(name)
    return installing.instructions_of(agent, agent.files(scope, folder, launcher.path()), folder)


def test_an_agent_is_not_installed_for_all_projects_and_for_one(home: Path) -> None:
    shop = str(home / "shop")
    installing.install("codex", "project", shop)
    message = (
        rf"for the project {re.escape(shop)} already: run `jotsam agents uninstall codex --scope project` there first"
    )
    for call in (installing.plan, installing.install):
        with pytest.raises(InvalidInput, match=message):
            call("codex", "user", "")
    installing.uninstall("codex", "project", shop)
    installing.install("codex", "user", "")
    with pytest.raises(InvalidInput, match="for all projects already: run `jotsam agents uninstall codex` first"):
        installing.plan("codex", "project", shop)
